// Lists the first API reads of the most used screens. The server includes these reads in the page as preloads. Screens for admins, reports
// and prints are omitted here. The router lists all screens.
import { listOrders, readOrder, readOrderPageData } from './features/orders/contract.ts';
import { readOrderForActuals } from './features/actuals/contract.ts';
import { readUser } from './features/auth/contract.ts';
import { readContact } from './features/contact/contract.ts';
import { listDistributions, readDistribution } from './features/distributions/contract.ts';
import { listFees } from './features/fees/contract.ts';
import { listProducts } from './features/products/contract.ts';
import type { RoutePreload } from './server/web/route-preloads.ts';
import { pathOf } from './shared/endpoint.ts';

const who = pathOf(readUser);
const weighing = (orderId = 0): string[] => [who, pathOf(readOrderForActuals, { orderId })];
const editing = (distributionId = 0, customerId = 0): string[] => [who, pathOf(readOrderPageData, { distributionId, customerId })];
const ordering = (id = 0): string[] => [
  who,
  pathOf(readDistribution, { id }),
  pathOf(listProducts, { id }),
  pathOf(listFees, { id }),
  pathOf(readOrder, { distributionId: id }),
];
const choosing = (): string[] => [who, pathOf(listDistributions)];

const WEIGHING = 'src/features/actuals/weighing/weighing-page.tsx';
const EDITING = 'src/features/orders/edit-order/edit-order-page.tsx';

/**
 * Each entry names a screen and its first reads. A screen with tabs lists only the reads that all its tabs need. A long list is not
 * preloaded, because its screen loads it page by page.
 */
export const ROUTE_PRELOADS: readonly RoutePreload[] = [
  { path: '/auth', role: 'public', script: 'src/features/auth/sign-in/auth-page.tsx', reads: () => [who] },
  {
    path: '/customer',
    role: 'customer',
    script: 'src/screens/customer-dashboard.tsx',
    reads: () => [who, pathOf(readContact), pathOf(listDistributions), pathOf(listOrders)],
  },
  { path: '/customer/order/:distributionId', role: 'customer', script: 'src/features/orders/order-page/order-page.tsx', reads: ordering },
  { path: '/customer/orders/:orderId/actual-quantities', role: 'customer', script: WEIGHING, reads: weighing },
  {
    path: '/customer/contact-info',
    role: 'customer',
    script: 'src/features/contact/contact-page.tsx',
    reads: () => [who, pathOf(readContact)],
  },
  { path: '/distributor', role: 'distributor', script: 'src/screens/distributor-dashboard.tsx', reads: () => [who] },
  { path: '/distributor/distribution/:id', role: 'distributor', script: 'src/screens/distribution-detail.tsx', reads: choosing },
  { path: '/distributor/edit-order/:distributionId/:customerId', role: 'distributor', script: EDITING, reads: editing },
  { path: '/distributor/orders/:orderId/actual-quantities', role: 'distributor', script: WEIGHING, reads: weighing },
  { path: '/agent', role: 'agent', script: 'src/screens/agent-dashboard.tsx', reads: choosing },
  { path: '/agent/distribution/:id', role: 'agent', script: 'src/screens/agent-distribution.tsx', reads: choosing },
  { path: '/agent/edit-order/:distributionId/:customerId', role: 'agent', script: EDITING, reads: editing },
  { path: '/agent/orders/:orderId/actual-quantities', role: 'agent', script: WEIGHING, reads: weighing },
];
