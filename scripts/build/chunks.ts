// Which scripts are fetched as one. Left alone, what two screens share becomes a file of its own: thirty requests for a screen, six at a time.

/** Each takes along what its files import, unless an earlier one has it; a group is fetched by whoever needs a part of it. */
export const CHUNKS = [
  { name: 'react', test: /preload-helper|node_modules\/(?:react|react-dom|scheduler|@radix-ui\/react-direction)\//, priority: 5 },
  // What every screen begins with, and all of the sign-in.
  {
    name: 'start',
    test: /icons\/x\.m?js$|src\/(?:features\/auth\/(?:auth-provider|new-password-field|sign-in\/(?:auth-panel|sign-in|join|request-reset|reset-password|marketing-panel))|screens\/not-found|client\/(?:ui\/layout\/source-line|navigation\/(?:idle-preload-delay|go-back|use-leave-guard|search-param-state)|storage\/theme|is-rtl|error-boundary))\.tsx?$/,
    priority: 4,
  },
  // What toasts have in common with dialogs, tabs and menus, which are there before the first toast.
  {
    name: 'radix',
    test: /@radix-ui\/(?:primitive|react-(?:collection|compose-refs|context|dismissable-layer|portal|presence|primitive|slot|use-[a-z-]+))\//,
    priority: 3.5,
  },
  { name: 'toaster', test: /src\/client\/toasts\/toaster\.tsx$/, priority: 3 },
  // What both customers and distributors see.
  {
    name: 'shared',
    test: /src\/(?:client\/(?:hooks\/use-media|ui\/(?:feedback\/(?:skeleton|progress-bar|badge)|layout\/(?:page-header|page|card)|forms\/choices|overlays\/leave-dialog))|features\/(?:distributions|products|catalogue)\/(?:contract|texts)|domain\/(?:actuals|payment|order|fees|distribution)|features\/auth\/account\/logout-button|shared\/(?:person-name|compare-texts))\.tsx?$|icons\/plus\.m?js$/,
    priority: 2.5,
  },
  // The dashboard, the order page and the contact page of a customer.
  {
    name: 'customer',
    test: /src\/features\/(?:orders\/(?:order-page\/order-form|dashboard\/(?:my-orders|available-distributions))|contact\/(?:customer-page|contact-form))\.tsx$/,
    priority: 2,
  },
  // The header and the tabs of a distributor.
  {
    name: 'staff',
    test: /src\/(?:features\/(?:emails\/send\/send-email|distributions\/distribution-(?:header|badges|list))|client\/(?:ui\/(?:layout\/tabs|overlays\/dialog)|navigation\/use-idle-preload))\.tsx?$/,
    priority: 1,
  },
  // The forms of a distributor, and what fills them.
  { name: 'distributor', test: /src\/features\/distributions\/edit\/distribution-(?:fields|info)\.tsx$/, priority: 0.5 },
  { name: 'table', test: /src\/client\/ui\/table\/(?:table|use-table|use-table-params|csv-links)\.tsx?$/ },
];
