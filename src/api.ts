// Registers the routes of all features.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { actualsRoutes } from './features/actuals/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { authRoutes } from './features/auth/routes.ts';
import { backupRoutes } from './features/backup/routes.ts';
import { catalogueRoutes } from './features/catalogue/routes.ts';
import { contactRoutes } from './features/contact/routes.ts';
import { counterRoutes } from './features/counter/routes.ts';
import { copiesRoutes } from './features/copies/routes.ts';
import { rehearsalsRoutes } from './features/rehearsals/routes.ts';
import { controlRoomRoutes } from './features/control-room/routes.ts';
import { distributorsRoutes } from './features/distributors/routes.ts';
import { distributionsRoutes } from './features/distributions/routes.ts';
import { emailsRoutes, unsubscribeLink } from './features/emails/routes.ts';
import { feesRoutes } from './features/fees/routes.ts';
import { joinRequestsRoutes } from './features/join-requests/routes.ts';
import { organizationRoutes } from './features/organization/routes.ts';
import { ordersRoutes } from './features/orders/routes.ts';
import { printRoutes } from './features/print/routes.ts';
import { paymentsRoutes } from './features/payments/routes.ts';
import { pickUpRoutes } from './features/pick-up/routes.ts';
import { uploadsRoutes } from './features/uploads/routes.ts';
import { productsRoutes } from './features/products/routes.ts';
import { personalDataRoutes } from './features/personal-data/routes.ts';
import { formerCustomersRoutes } from './features/former-customers/routes.ts';
import { reportsRoutes } from './features/reports/routes.ts';
import { slotsRoutes } from './features/slots/routes.ts';
import { shortDeliveryRoutes } from './features/short-delivery/routes.ts';
import { tillsRoutes } from './features/tills/routes.ts';
import { secondFactorRoutes } from './features/second-factor/routes.ts';
import { secondStepRoutes } from './features/second-step/routes.ts';
import { unusedCustomersRoutes } from './features/unused-customers/routes.ts';
import { usersRoutes } from './features/users/routes.ts';
import { waitingRoutes } from './features/waiting/routes.ts';
import { ROUTE_PRELOADS } from './route-preloads.ts';
import { createApp } from './server/http/app.ts';
import { serveDocs } from './server/openapi/docs.ts';
import { createRoutePreloads, preloadTagsFor } from './server/web/route-preloads.ts';
import { healthRoutes } from './server/operations/health.ts';
import { sessionRules } from './server/http/session-cookie.ts';
import { registerRoutes } from './server/http/pipeline/register-routes.ts';
import type { AppContext, Route } from './server/http/pipeline/route.ts';
import { mountMailLink } from './server/mail/mail-link.ts';
import { serveMetrics } from './server/operations/metrics.ts';
import { openApiOf } from './server/openapi/openapi.ts';
import { ROOT } from './server/root.ts';
import { serveSecurityText } from './server/operations/security-text.ts';
import { cookieName, roleOf } from './server/auth/session.ts';
import { serveSource } from './server/operations/source.ts';
import { serveClient } from './server/web/static.ts';

export const routes: readonly Route[] = [
  ...healthRoutes,
  ...authRoutes,
  ...secondStepRoutes,
  ...secondFactorRoutes,
  ...distributorsRoutes,
  ...backupRoutes,
  ...unusedCustomersRoutes,
  ...personalDataRoutes,
  ...formerCustomersRoutes,
  ...usersRoutes,
  ...joinRequestsRoutes,
  ...organizationRoutes,
  ...contactRoutes,
  ...distributionsRoutes,
  ...copiesRoutes,
  ...rehearsalsRoutes,
  ...shortDeliveryRoutes,
  ...productsRoutes,
  ...uploadsRoutes,
  ...feesRoutes,
  ...catalogueRoutes,
  ...slotsRoutes,
  ...waitingRoutes,
  ...ordersRoutes,
  ...actualsRoutes,
  ...pickUpRoutes,
  ...printRoutes,
  ...paymentsRoutes,
  ...tillsRoutes,
  ...controlRoomRoutes,
  ...counterRoutes,
  ...reportsRoutes,
  ...auditRoutes,
  ...emailsRoutes,
];

const CLIENT = join(ROOT, 'dist/client');

export async function buildApi(context: AppContext, logger: Logger): Promise<FastifyInstance> {
  const app = await createApp(context.env, logger);
  serveMetrics(app, context);
  registerRoutes(app, routes, context);
  await mountMailLink(app, unsubscribeLink, context);
  const cookie = cookieName(sessionRules(context.env));
  serveDocs(app, () => openApiOf([...routes.map((route) => route.endpoint), ...unsubscribeLink.endpoints], cookie));
  serveSource(app, context.env);
  serveSecurityText(app, context);
  const preloadOf = await createRoutePreloads(CLIENT, ROUTE_PRELOADS);
  await serveClient(app, CLIENT, ({ url, cookies, log }) =>
    preloadTagsFor(preloadOf(url.split('?')[0] ?? ''), () =>
      roleOf(context.db, cookies[cookie], context.now()).catch(
        (error: unknown) => (log.warn({ err: error }, 'a page was served without preloads: its session could not be read'), null),
      ),
    ),
  );
  return app;
}
