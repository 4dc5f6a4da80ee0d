// Stores the result of a pipeline stage for later stages.
import type { FastifyRequest } from 'fastify';

export interface StageResult<Value> {
  readonly set: (request: FastifyRequest, value: Value) => void;
  /** Throws if the stage did not run, because a later stage must not assume a default. */
  readonly get: (request: FastifyRequest) => Value;
}

export function stageResult<Value>(stage: string): StageResult<Value> {
  const results = new WeakMap<FastifyRequest, { readonly value: Value }>();
  return {
    set: (request, value) => void results.set(request, { value }),
    get(request) {
      const result = results.get(request);
      if (!result) throw new Error(`${request.method} ${request.routeOptions.url} skipped the stage "${stage}".`);
      return result.value;
    },
  };
}
