import type { LightMyRequestResponse as Answer } from 'fastify';

/** Returns the status code and the body of a response. */
export async function statusAndBody(answer: PromiseLike<Answer>): Promise<[status: number, body: string]> {
  const { statusCode, body } = await answer;
  return [statusCode, body];
}

/** Returns a response without the two headers that differ in every response, so that tests can compare responses. */
export async function comparableResponse(answer: PromiseLike<Answer>): Promise<Pick<Answer, 'statusCode' | 'body' | 'headers'>> {
  const { statusCode, body, headers } = await answer;
  const { 'x-request-id': _, date: __, ...rest } = headers;
  return { statusCode, body, headers: rest };
}
