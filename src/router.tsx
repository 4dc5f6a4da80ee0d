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
const EditOrderPage = lazy(async () => ({ default: (await import('./features/orders/edit-order-page.tsx')).EditOrderPage }));
const WeighingPage = lazy(async () => ({ default: (await import('./features/actuals/weighing-page.tsx')).WeighingPage }));
const ContactPage = lazy(async () => ({ default: (await import('./features/contact/contact-page.tsx')).ContactPage }));
const DistributorDashboard = lazy(async () => ({ default: (await import('./screens/distributor-dashboard.tsx')).DistributorDashboard }));
const DistributionDetail = lazy(async () => ({ default: (await import('./screens/distribution-detail.tsx')).DistributionDetail }));
const ReportPage = lazy(async () => ({ default: (await import('./features/reports/report-page.tsx')).ReportPage }));
const AgentDashboard = lazy(async () => ({ default: (await import('./screens/agent-dashboard.tsx')).AgentDashboard }));
const AgentDistribution = lazy(async () => ({ default: (await import('./screens/agent-distribution.tsx')).AgentDistribution }));
const CustomerPrintPage = lazy(async () => ({ default: (await import('./features/print/print-order-page.tsx')).CustomerPrintPage }));
const StaffPrintPage = lazy(async () => ({ default: (await import('./features/print/print-order-page.tsx')).StaffPrintPage }));
const PrintOrdersPage = lazy(async () => ({ default: (await import('./features/print/print-orders-page.tsx')).PrintOrdersPage }));
const PricesheetPage = lazy(async () => ({ default: (await import('./features/print/pricesheet-page.tsx')).PricesheetPage }));

export const ROUTES: readonly { path: string; role: Role; Screen: ComponentType }[] = [
  { path: '/', role: 'admin', Screen: AdminDashboard },
  { path: '/distributor', role: 'distributor', Screen: DistributorDashboard },
  { path: '/distributor/distribution/:id', role: 'distributor', Screen: DistributionDetail },
  { path: '/distributor/distribution/:id/print-orders', role: 'distributor', Screen: PrintOrdersPage },
  { path: '/distributor/print-order/:id', role: 'distributor', Screen: StaffPrintPage },
  { path: '/distributor/distribution/:distributionId/report', role: 'distributor', Screen: ReportPage },
  { path: '/distributor/edit-order/:distributionId/:customerId', role: 'distributor', Screen: EditOrderPage },
  { path: '/distributor/orders/:orderId/actual-quantities', role: 'distributor', Screen: WeighingPage },
  { path: '/agent', role: 'agent', Screen: AgentDashboard },
  { path: '/agent/distribution/:distributionId', role: 'agent', Screen: AgentDistribution },
  { path: '/agent/print-order/:id', role: 'agent', Screen: StaffPrintPage },
  { path: '/agent/edit-order/:distributionId/:customerId', role: 'agent', Screen: EditOrderPage },
  { path: '/agent/orders/:orderId/actual-quantities', role: 'agent', Screen: WeighingPage },
  { path: '/customer', role: 'customer', Screen: CustomerDashboard },
  { path: '/customer/order/:distributionId', role: 'customer', Screen: OrderPage },
  { path: '/customer/orders/:orderId/actual-quantities', role: 'customer', Screen: WeighingPage },
  { path: '/customer/contact-info', role: 'customer', Screen: ContactPage },
  { path: '/customer/print-order/:distributionId', role: 'customer', Screen: CustomerPrintPage },
  { path: '/customer/print-pricesheet/:distributionId', role: 'customer', Screen: PricesheetPage },
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
