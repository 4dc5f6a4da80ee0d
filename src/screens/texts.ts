// The agent's screens and the distributor's page of a distribution use the following texts (spec §2).
export const AGENT_DASHBOARD = 'Agent Dashboard';
export const OPEN_DISTRIBUTION = 'Open Distribution';
export const ORDERS = 'Orders';
export const DISTRIBUTION_TABS = {
  'distribution-info': 'Info',
  products: 'Products',
  fees: 'Fees',
  customers: 'Customers',
  report: 'Report',
  payments: 'Payments',
  actuals: 'Actuals',
} as const;

// The customer's dashboard and its empty states use the following texts (spec §2).
export const CUSTOMER_DASHBOARD = 'Customer Dashboard';
export const PAGE_NOT_FOUND = '404 Page Not Found';
export const FORGOT_ROUTE = 'Did you forget to add the page to the router?';
/** The offline banner of a screen whose script could not be loaded. */
export const OPENS_WITH_NETWORK = 'You are offline. This page opens when the connection is back.';
export const BACK_TO_FEASTDAY = 'Back to Feastday';

// The dashboards of the admin and the distributor use the following texts (spec §2).
export const ADMIN_DASHBOARD = 'Admin Dashboard';
export const DISTRIBUTOR_DASHBOARD = 'Distributor Dashboard';
export const DASHBOARD = 'Dashboard';
export const DASHBOARD_TABS = { distributions: 'Distributions', customers: 'Customers', agents: 'Agents' } as const;
export const MANAGE_DISTRIBUTION = 'Manage Distribution';
