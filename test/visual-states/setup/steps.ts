// The usual steps to a sight.
import type { Page } from '@playwright/test';
import { expect } from '../../e2e/fixtures.ts';
import type { VisualState, VisualStateData } from './visual-state.ts';

export type Step = (page: Page, world: VisualStateData) => Promise<unknown>;

/** Nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading').or(page.getByRole('alert')).first()).toBeAttached();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

/** Goes to an address, waits until it has loaded, and then takes the steps. */
export const at =
  (path: string | ((world: VisualStateData) => string), ...steps: readonly Step[]): VisualState['open'] =>
  async (page, world) => {
    await page.goto(world.url + (typeof path === 'string' ? path : path(world)));
    await settled(page);
    for (const step of steps) await step(page, world);
  };

/** Takes the step before the address is opened. */
export const after =
  (step: Step, open: VisualState['open']): VisualState['open'] =>
  async (page, world) => {
    await step(page, world);
    await open(page, world);
  };

/** Presses the first button, link, tab or menu item of this name. */
export const press =
  (name: string | RegExp): Step =>
  async (page) => {
    const roles = ['button', 'link', 'tab', 'menuitem'] as const;
    const [first, ...others] = roles.map((role) => page.getByRole(role, { name, exact: typeof name === 'string' }));
    await others
      .reduce((found, other) => found?.or(other), first)
      ?.first()
      .click();
  };

export const type =
  (label: string | RegExp, text: string): Step =>
  async (page) =>
    await page.getByLabel(label).first().fill(text);

/** Waits until this can be read. */
export const reads =
  (text: string | RegExp): Step =>
  async (page) =>
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();

/** Answers calls to an address with this, in place of the server. */
export const answered =
  (address: string, status: number, body: object | string): Step =>
  async (page) =>
    await page.route(address, (route) =>
      typeof body === 'string' ? route.fulfill({ status, body, contentType: 'text/plain' }) : route.fulfill({ status, json: body }),
    );

/** Calls to an address have no answer yet. */
export const unanswered =
  (address: string): Step =>
  async (page) =>
    await page.route(address, () => undefined);

export const offline: Step = async (page) => await page.context().setOffline(true);

/** Reads fail. */
export const refused = (address: string): Step => answered(address, 500, 'Oops');

/** Answers what is saved at an address; reads go on to the server. */
export const saved =
  (address: string, status: number, body: object | string): Step =>
  async (page) =>
    await page.route(address, (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      return typeof body === 'string' ? route.fulfill({ status, body, contentType: 'text/plain' }) : route.fulfill({ status, json: body });
    });

/** The page at an address as long as a call has no answer. */
export const loading =
  (path: string, address: string): VisualState['open'] =>
  async (page, world) => {
    await unanswered(address)(page, world);
    await page.goto(world.url + path);
    await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
  };

/** Goes to an address whose screen is still waiting, long enough for its skeleton to be seen. */
export const waits =
  (path: string | ((world: VisualStateData) => string), shape = '.skeleton'): VisualState['open'] =>
  async (page, world) => {
    await page.goto(world.url + (typeof path === 'string' ? path : path(world)));
    const skeleton = page.locator(shape).first();
    await expect(skeleton).toBeVisible();
    const appeared = (): Promise<unknown> =>
      skeleton.evaluate(async (element) => await Promise.all(element.getAnimations().map((animation) => animation.finished)));
    // That of the page gives way to that of its part, and while the part's script comes to one more.
    await expect(appeared).toPass();
  };
