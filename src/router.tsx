// This is the route table of spec §2: the path, the role and the screen of each route.
import { Suspense, useDeferredValue, useEffect, type ComponentType, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { StandalonePage, ErrorBoundary } from './client/error-boundary.tsx';
import { lazyScreen, type LazyScreen } from './client/navigation/lazy-screen.ts';
import { ErrorState } from './client/ui/feedback/error-state.tsx';
import { PageSpinner } from './client/ui/feedback/spinner.tsx';
import { sentenceOf } from './client/api/fetch.ts';
import { useRefreshOnRouteChange } from './client/api/use-calls.ts';
import type { Role } from './domain/accounts/roles.ts';
import { useAuth } from './features/auth/auth-provider.tsx';
import { NotFound } from './screens/not-found.tsx';

const AuthPage = lazyScreen(async () => (await import('./features/auth/sign-in/auth-page.tsx')).AuthPage);
const AdminDashboard = lazyScreen(async () => (await import('./screens/admin-dashboard.tsx')).AdminDashboard);
const CustomerDashboard = lazyScreen(async () => (await import('./screens/customer-dashboard.tsx')).CustomerDashboard);
const OrderPage = lazyScreen(async () => (await import('./features/orders/order-page/order-page.tsx')).OrderPage);
const EditOrderPage = lazyScreen(async () => (await import('./features/orders/edit-order/edit-order-page.tsx')).EditOrderPage);
const WeighingPage = lazyScreen(async () => (await import('./features/actuals/weighing/weighing-page.tsx')).WeighingPage);
const CounterPage = lazyScreen(async () => (await import('./features/counter/counter-page.tsx')).CounterPage);
const OfflineUser = lazyScreen(async () => (await import('./features/counter/offline-user.tsx')).OfflineUser);
const ContactPage = lazyScreen(async () => (await import('./features/contact/contact-page.tsx')).ContactPage);
const DistributorDashboard = lazyScreen(async () => (await import('./screens/distributor-dashboard.tsx')).DistributorDashboard);
const DistributionDetail = lazyScreen(async () => (await import('./screens/distribution-detail.tsx')).DistributionDetail);
const ReportPage = lazyScreen(async () => (await import('./features/reports/page/report-page.tsx')).ReportPage);
const AuditPage = lazyScreen(async () => (await import('./features/audit/audit-page.tsx')).AuditPage);
const AgentDashboard = lazyScreen(async () => (await import('./screens/agent-dashboard.tsx')).AgentDashboard);
const AgentDistribution = lazyScreen(async () => (await import('./screens/agent-distribution.tsx')).AgentDistribution);
const CustomerPrintPage = lazyScreen(async () => (await import('./features/print/print-order-page.tsx')).CustomerPrintPage);
const ControlRoomPage = lazyScreen(async () => (await import('./features/control-room/control-room-page.tsx')).ControlRoomPage);
const TillsPage = lazyScreen(async () => (await import('./features/tills/page/tills-page.tsx')).TillsPage);
const StaffPrintPage = lazyScreen(async () => (await import('./features/print/print-order-page.tsx')).StaffPrintPage);
const PrintOrdersPage = lazyScreen(async () => (await import('./features/print/print-orders-page.tsx')).PrintOrdersPage);
const PickUpPrintPage = lazyScreen(async () => (await import('./features/print/pick-up/pick-up-print-page.tsx')).PickUpPrintPage);
const PricesheetPage = lazyScreen(async () => (await import('./features/print/pricesheet-page.tsx')).PricesheetPage);

const SetUpFirst = lazyScreen(async () => (await import('./features/second-factor/set-up-first.tsx')).SetUpFirst);

export const ROUTES: readonly { path: string; role: Role; Screen: LazyScreen }[] = [
  { path: '/', role: 'admin', Screen: AdminDashboard },
  { path: '/distributor', role: 'distributor', Screen: DistributorDashboard },
  { path: '/distributor/distribution/:id', role: 'distributor', Screen: DistributionDetail },
  { path: '/distributor/distribution/:id/counter', role: 'distributor', Screen: CounterPage },
  { path: '/distributor/distribution/:id/print-orders', role: 'distributor', Screen: PrintOrdersPage },
  { path: '/distributor/distribution/:id/pick-up-print', role: 'distributor', Screen: PickUpPrintPage },
  { path: '/distributor/distribution/:id/audit', role: 'distributor', Screen: AuditPage },
  { path: '/distributor/distribution/:id/control-room', role: 'distributor', Screen: ControlRoomPage },
  { path: '/distributor/distribution/:id/tills', role: 'distributor', Screen: TillsPage },
  { path: '/distributor/print-order/:id', role: 'distributor', Screen: StaffPrintPage },
  { path: '/distributor/distribution/:id/report', role: 'distributor', Screen: ReportPage },
  { path: '/distributor/edit-order/:distributionId/:customerId', role: 'distributor', Screen: EditOrderPage },
  { path: '/distributor/orders/:orderId/actual-quantities', role: 'distributor', Screen: WeighingPage },
  { path: '/agent', role: 'agent', Screen: AgentDashboard },
  { path: '/agent/distribution/:id', role: 'agent', Screen: AgentDistribution },
  { path: '/agent/distribution/:id/counter', role: 'agent', Screen: CounterPage },
  { path: '/agent/distribution/:id/tills', role: 'agent', Screen: TillsPage },
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

/**
 * The header and footer around the pages of signed-in users. They are loaded early, while the device is online. If the device goes offline
 * later, they surround the error message.
 */
let Frame: ComponentType<{ children: ReactNode }> = StandalonePage;
async function fetchFrame(): Promise<void> {
  Frame = (await import('./screens/load-error.tsx')).LoadError;
}

/** Shows the screen of a route that requires this role. Visitors and users with another role are redirected to /auth (spec §2). */
function Guarded({ role, Screen }: { role: Role; Screen: LazyScreen }): ReactNode {
  const { user, isLoading, error, refreshUser } = useAuth();
  const isAllowed = user?.role === role;
  // The first screen is rendered with low priority, to keep the page responsive. Later screens are rendered at once.
  const isRendered = useDeferredValue(isAllowed);
  useEffect(() => {
    if (isAllowed) fetchFrame().catch(() => undefined);
  }, [isAllowed]);
  if (isLoading) {
    // Preloads the script of the screen. An error is ignored here, because rendering the screen reports the error.
    Screen.load().catch(() => undefined);
    if (Screen !== CounterPage) return <PageSpinner />;
  }
  // The pick-up counter page also works offline, or when the server cannot be reached (contract §14).
  if (!user && (isLoading || error) && Screen === CounterPage) return <OfflineUser role={role} isLoading={isLoading} />;
  // A user whose sign-in is unknown keeps the URL. On the sign-in page, the user would type a password for nothing.
  if (!user && error) {
    return (
      <StandalonePage>
        <ErrorState isPage text={sentenceOf(error)} onRetry={() => void refreshUser()} />
      </StandalonePage>
    );
  }
  if (!isAllowed) return <Redirect to="/auth" replace />;
  if (user.mustAddSecondFactor) return <SetUpFirst />;
  // Another user must never see the state of a screen, such as what the previous user has typed.
  return isRendered ? <Screen key={user.id} /> : <PageSpinner />;
}

export function Screens(): ReactNode {
  useRefreshOnRouteChange();
  const [path] = useLocation();
  return (
    <ErrorBoundary key={path} frame={(notFetched) => <Frame>{notFetched}</Frame>}>
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
