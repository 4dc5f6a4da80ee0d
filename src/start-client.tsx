// Providers and the router.
import { QueryClientProvider } from '@tanstack/react-query';
import { Direction } from 'radix-ui';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import './client/styles.css';
import { isLeftward } from './client/direction.ts';
import { ErrorBoundary } from './client/error-boundary.tsx';
import { rememberPages } from './client/go-back.ts';
import { applyTheme } from './client/theme.ts';
import { queryClient } from './client/use-calls.ts';
import { guardNavigation } from './client/use-leave-guard.ts';
import { AuthProvider } from './features/auth/auth-provider.tsx';
import { Screens } from './router.tsx';

globalThis.askedAhead ??= new Map();
applyTheme();
rememberPages();

/** Fetched beside the first screen and not before it: what is raised until then waits in the queue. */
const Toaster = lazy(async () => ({ default: (await import('./client/toaster.tsx')).Toaster }));

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Direction.Provider dir={isLeftward() ? 'rtl' : 'ltr'}>
          <Router aroundNav={guardNavigation}>
            <AuthProvider>
              <Screens />
            </AuthProvider>
            <ErrorBoundary>
              <Suspense>
                <Toaster />
              </Suspense>
            </ErrorBoundary>
          </Router>
        </Direction.Provider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
