// The entry point of the browser application. It renders the React providers and the router into the page.
import { QueryClientProvider } from '@tanstack/react-query';
import { Direction } from 'radix-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import './client/styles.css';
import { isRtl } from './client/is-rtl.ts';
import { rememberPages } from './client/navigation/go-back.ts';
import { applyTheme } from './client/storage/theme.ts';
import { LazyToaster } from './client/toasts/lazy-toaster.tsx';
import { queryClient } from './client/api/use-calls.ts';
import { guardNavigation } from './client/navigation/use-leave-guard.ts';
import { AuthProvider } from './features/auth/auth-provider.tsx';
import { Screens } from './router.tsx';

globalThis.prefetched ??= new Map();
applyTheme();
rememberPages();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Direction.Provider dir={isRtl() ? 'rtl' : 'ltr'}>
          <Router aroundNav={guardNavigation}>
            <AuthProvider>
              <Screens />
            </AuthProvider>
            <LazyToaster />
          </Router>
        </Direction.Provider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
