// Providers and the router.
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import './client/styles.css';
import { rememberPages } from './client/go-back.ts';
import { applyTheme } from './client/theme.ts';
import { Toaster } from './client/toast.tsx';
import { queryClient } from './client/use-calls.ts';
import { guardNavigation } from './client/use-leave-guard.ts';
import { AuthProvider } from './features/auth/auth-provider.tsx';
import { Screens } from './router.tsx';

applyTheme();
rememberPages();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router aroundNav={guardNavigation}>
          <AuthProvider>
            <Screens />
          </AuthProvider>
          <Toaster />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}
