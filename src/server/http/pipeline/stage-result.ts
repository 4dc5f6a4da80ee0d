// Stores the result of a pipeline stage for later stages.
import type { FastifyRequest } from 'fastify';

export function stageResult<Value>(stage: string) {
  const results = new WeakMap<FastifyRequest, { readonly value: Value }>();
  return {
    set: (request: FastifyRequest, value: Value): void => void results.set(request, { value }),
    /** Throws if the stage did not run, because a later stage must not assume a default. */
    get(request: FastifyRequest): Value {
      const result = results.get(request);
      if (!result) throw new Error(`${request.method} ${request.routeOptions.url} skipped the stage "${stage}".`);
      return result.value;
    },
  };
}
