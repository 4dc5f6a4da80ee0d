// Groups modules into chunks. Without these groups, every module that two screens share would be a file of its own. A screen would then
// need thirty requests, and browsers send only six requests at a time.

/**
 * The chunks. Each one contains the modules that match `test`, and the modules that these import, unless they belong to a chunk of higher
 * priority. A screen that needs a part of a chunk loads the whole chunk.
 */
export const CHUNKS = [
  { name: 'react', test: /preload-helper|node_modules\/(?:react|react-dom|scheduler|@radix-ui\/react-direction)\//, priority: 5 },
  // This chunk contains the code that all screens load, including the sign-in page.
  {
    name: 'start',
    test: /icons\/(?:x|circle-exclamation-point)\.m?js$|src\/(?:features\/(?:auth\/(?:auth-provider|new-password-field)|join-requests\/contract)|screens\/not-found|client\/(?:focus\/first-field|hooks\/use-media|ui\/(?:forms\/form|layout\/source-line)|navigation\/(?:idle-preload-delay|go-back|use-leave-guard|search-param-state)|storage\/theme|is-rtl|error-boundary))\.tsx?$/,
    priority: 4,
  },
  // This chunk contains the forms of the sign-in page. A user who is signed in does not load it.
  { name: 'sign-in', test: /src\/features\/auth\/sign-in\/(?!auth-page)[a-z-]+\.tsx?$/, priority: 3.8 },
  // This chunk contains the code that toasts share with dialogs, tabs and menus. The browser loads the chunk before the first toast.
  {
    name: 'radix',
    test: /@radix-ui\/(?:primitive|react-(?:collection|compose-refs|context|dismissable-layer|portal|presence|primitive|slot|use-[a-z-]+))\//,
    priority: 3.5,
  },
  { name: 'toaster', test: /src\/client\/toasts\/toaster\.tsx$/, priority: 3 },
  // This chunk contains the code that the screens of customers and distributors share.
  {
    name: 'shared',
    test: /src\/(?:client\/(?:ui\/(?:feedback\/(?:skeleton|progress-bar|badge)|layout\/(?:page-header|page|card)|forms\/choices|overlays\/leave-dialog))|features\/(?:(?:distributions|products)\/(?:contract|texts)|catalogue\/contract)|domain\/(?:weights\/actuals|payment|order|fees|distribution)|features\/(?:auth\/(?:account\/logout-button|user-page)|distributions\/(?:ordering-times\/use-ordering-time|problem-page))|shared\/(?:person-name|compare-texts))\.tsx?$|icons\/plus\.m?js$/,
    priority: 2.5,
  },
  // This chunk contains a customer's dashboard and order page.
  {
    name: 'customer',
    test: /src\/features\/(?:orders\/(?:order-page\/order-form|dashboard\/(?:my-orders|available-distributions))|contact\/customer-page)\.tsx$/,
    priority: 2,
  },
  // This chunk contains the header and the tabs of a distributor's screens.
  {
    name: 'staff',
    test: /src\/(?:features\/(?:catalogue\/texts|emails\/send\/send-email|distributions\/distribution-(?:header|badges|list|page))|client\/(?:ui\/(?:layout\/tabs|overlays\/dialog(?:-form|-button)?)|navigation\/use-idle-preload))\.tsx?$/,
    priority: 1,
  },
  // This chunk contains a distributor's forms and the code that loads their data.
  { name: 'distributor', test: /src\/features\/distributions\/edit\/distribution-(?:fields|info)\.tsx$/, priority: 0.5 },
  { name: 'table', test: /src\/client\/ui\/table\/(?:table|use-table|use-table-params|csv-links)\.tsx?$/ },
];
