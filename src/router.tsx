// The client's table of contents: path, role, screen (the route table of spec §2).
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ErrorBoundary } from './client/error-boundary.tsx';
import { PageSpinner } from './client/ui/spinner.tsx';
import { useRefreshOnRouteChange } from './client/use-calls.ts';
import type { Role } from './domain/roles.ts';
import { useAuth } from './features/auth/auth-provider.tsx';
import { NotFound } from './screens/not-found.tsx';

const AuthPage = lazy(async () => ({ default: (await import('./features/auth/auth-page.tsx')).AuthPage }));
const AdminDashboard = lazy(async () => ({ default: (await import('./screens/admin-dashboard.tsx')).AdminDashboard }));
const CustomerDashboard = lazy(async () => ({ default: (await import('./screens/customer-dashboard.tsx')).CustomerDashboard }));
const OrderPage = lazy(async () => ({ default: (await import('./features/orders/order-page.tsx')).OrderPage }));
const ContactPage = lazy(async () => ({ default: (await import('./features/contact/contact-page.tsx')).ContactPage }));
const DistributorDashboard = lazy(async () => ({ default: (await import('./screens/distributor-dashboard.tsx')).DistributorDashboard }));
const DistributionDetail = lazy(async () => ({ default: (await import('./screens/distribution-detail.tsx')).DistributionDetail }));
const AgentDashboard = lazy(async () => ({ default: (await import('./screens/agent-dashboard.tsx')).AgentDashboard }));
const AgentDistribution = lazy(async () => ({ default: (await import('./screens/agent-distribution.tsx')).AgentDistribution }));

export const ROUTES: readonly { path: string; role: Role; Screen: ComponentType }[] = [
  { path: '/', role: 'admin', Screen: AdminDashboard },
  { path: '/distributor', role: 'distributor', Screen: DistributorDashboard },
  { path: '/distributor/distribution/:id', role: 'distributor', Screen: DistributionDetail },
  { path: '/agent', role: 'agent', Screen: AgentDashboard },
  { path: '/agent/distribution/:distributionId', role: 'agent', Screen: AgentDistribution },
  { path: '/customer', role: 'customer', Screen: CustomerDashboard },
  { path: '/customer/order/:distributionId', role: 'customer', Screen: OrderPage },
  { path: '/customer/contact-info', role: 'customer', Screen: ContactPage },
];

/** Every route but /auth needs exactly its role; anybody else is sent to /auth (spec §2). */
function Guarded({ role, Screen }: { role: Role; Screen: ComponentType }): ReactNode {
  const { user, isLoading } = useAuth();
  if (isLoading) return <PageSpinner />;
  return user?.role === role ? <Screen /> : <Redirect to="/auth" replace />;
}

export function Screens(): ReactNode {
  useRefreshOnRouteChange();
  const [path] = useLocation();
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<PageSpinner />}>
        <Switch>
          <Route path="/auth" component={AuthPage} />
          {ROUTES.map((route) => (
            <Route key={route.path} path={route.path}>
              <Guarded role={route.role} Screen={route.Screen} />
            </Route>
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
