// Groups modules into chunks. Without this, code that two screens share becomes a separate file: thirty requests per screen, of which six
// run at a time.

/** Each chunk includes the imports of its files that no earlier chunk has. A screen that needs a part of a chunk loads the whole chunk. */
export const CHUNKS = [
  { name: 'react', test: /preload-helper|node_modules\/(?:react|react-dom|scheduler|@radix-ui\/react-direction)\//, priority: 5 },
  // The code that every screen needs, and the whole sign-in.
  {
    name: 'start',
    test: /icons\/x\.m?js$|src\/(?:features\/auth\/(?:auth-provider|new-password-field|sign-in\/(?:auth-panel|sign-in|join|request-reset|reset-password|marketing-panel))|screens\/not-found|client\/(?:ui\/layout\/source-line|navigation\/(?:idle-preload-delay|go-back|use-leave-guard|search-param-state)|storage\/theme|is-rtl|error-boundary))\.tsx?$/,
    priority: 4,
  },
  // The code that toasts share with dialogs, tabs and menus. The browser loads it before the first toast.
  {
    name: 'radix',
    test: /@radix-ui\/(?:primitive|react-(?:collection|compose-refs|context|dismissable-layer|portal|presence|primitive|slot|use-[a-z-]+))\//,
    priority: 3.5,
  },
  { name: 'toaster', test: /src\/client\/toasts\/toaster\.tsx$/, priority: 3 },
  // Code shared by customers and distributors.
  {
    name: 'shared',
    test: /src\/(?:client\/(?:hooks\/use-media|ui\/(?:feedback\/(?:skeleton|progress-bar|badge)|layout\/(?:page-header|page|card)|forms\/choices|overlays\/leave-dialog))|features\/(?:distributions|products|catalogue)\/(?:contract|texts)|domain\/(?:actuals|payment|order|fees|distribution)|features\/(?:auth\/account\/logout-button|distributions\/clock\/use-ordering-time)|shared\/(?:person-name|compare-texts))\.tsx?$|icons\/plus\.m?js$/,
    priority: 2.5,
  },
  // A customer's dashboard and order page.
  {
    name: 'customer',
    test: /src\/features\/(?:orders\/(?:order-page\/order-form|dashboard\/(?:my-orders|available-distributions))|contact\/customer-page)\.tsx$/,
    priority: 2,
  },
  // A distributor's header and tabs.
  {
    name: 'staff',
    test: /src\/(?:features\/(?:emails\/send\/send-email|distributions\/distribution-(?:header|badges|list))|client\/(?:ui\/(?:layout\/tabs|overlays\/dialog(?:-form|-button)?)|navigation\/use-idle-preload))\.tsx?$/,
    priority: 1,
  },
  // A distributor's forms and their data.
  { name: 'distributor', test: /src\/features\/distributions\/edit\/distribution-(?:fields|info)\.tsx$/, priority: 0.5 },
  { name: 'table', test: /src\/client\/ui\/table\/(?:table|use-table|use-table-params|csv-links)\.tsx?$/ },
];
