// Simulates a browser that keeps cookies and sends them back, for tests of signing in.
import type { LightMyRequestResponse as Answer } from 'fastify';
import type { TestApp } from './test-app.ts';

export interface CookieBrowser {
  readonly jar: Map<string, string>;
  readonly post: (url: string, payload?: object) => Promise<Answer>;
  readonly signIn: (email: string, password: string) => Promise<Answer>;
  /** Sends the second step of a sign-in. Returns the status of the response and its JSON body, or its error message. */
  readonly step: (payload: object) => Promise<[number, unknown]>;
  readonly isIn: () => Promise<boolean>;
}

export function cookieBrowser(app: TestApp['app']): CookieBrowser {
  const jar = new Map<string, string>();
  const post = async (url: string, payload?: object): Promise<Answer> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.inject({ method: 'POST', url, ...(payload ? { payload } : {}), headers: { cookie } });
    for (const { name, value } of answer.cookies) jar.set(name, value);
    return answer;
  };
  return {
    jar,
    post,
    signIn: (email, password) => post('/api/login', { email, password }),
    async step(payload) {
      const { statusCode, body } = await post('/api/login/second-factor', payload);
      return [statusCode, statusCode === 200 ? JSON.parse(body) : body];
    },
    async isIn() {
      const cookie = `sid=${jar.get('sid') ?? ''}`;
      return (await app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode === 200;
    },
  };
}
