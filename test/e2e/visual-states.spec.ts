// Checks the accessibility of the visual states (test/visual-states). npm test checks a random sample of them. With FEASTDAY_PROVE=full
// (npm run accessibility), this test checks all states at each width, in light and dark colors, and with more Tab presses.
import type { BrowserContextOptions, Page } from '@playwright/test';
import { VISUAL_STATES } from '../visual-states/all.ts';
import type { VisualState } from '../visual-states/setup/visual-state.ts';
import { isLongForm, sampleOf } from '../setup/sampling.ts';
import { test } from '../visual-states/setup/open-state.ts';
import { axeFaults, emptyEnd, sidewaysScroll } from './accessible.ts';
import { inColors } from './colors.ts';
import { unseenFocus } from './focusable.ts';
import { movingThings, unmarkedChoices } from './preferences.ts';
import { smallControls } from './touch-targets.ts';
import { expect } from './fixtures.ts';

const DESK = { width: 1280, height: 800 };
const TABLET = { width: 768, height: 1024 };
const PHONE = { width: 375, height: 812 };
/**
 * The elements that are not checked. The first is the preview of an e-mail, in which no script can run, not even axe. The second is
 * TinyMCE, whose markup comes from a third party.
 */
const WITHOUT = 'iframe[sandbox], .tox';

type Opening = (device: BrowserContextOptions) => Promise<Page>;
type Look = (page: Page) => Promise<string[]>;

const axe =
  (colors: 'light' | 'dark', rules?: 'all' | 'of colors'): Look =>
  async (page) => {
    await inColors(page, colors);
    return await axeFaults(page, { without: WITHOUT, rules });
  };

/** Resizes the page and waits until two consecutive measurements of its layout are equal. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction(
    ({ width, height }) => {
      if (!matchMedia(`(width: ${width}px) and (height: ${height}px)`).matches || window.innerWidth !== width) return false;
      const boxes = [...document.querySelectorAll('a, button, input, select, textarea, [role=dialog]')].map((element) => {
        const box = element.getBoundingClientRect();
        return [box.x, box.y, box.width, box.height].join(' ');
      });
      const [before, now] = [document.documentElement.dataset['boxes'], boxes.join()];
      document.documentElement.dataset['boxes'] = now;
      return before === now;
    },
    size,
    { polling: 100 },
  );
}

const overflow =
  (width: number, height: number, text = 1): Look =>
  async (page) => {
    await resize(page, { width, height });
    await page.evaluate((size) => (document.documentElement.style.fontSize = `${size * 100}%`), text);
    const by = await sidewaysScroll(page);
    const below = await emptyEnd(page);
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
    return [...(by > 0 ? [`scrolls sideways by ${by} px`] : []), ...(below > 1 ? [`scrolls by ${below} px below its end`] : [])];
  };

const small =
  (size: { width: number; height: number }, least: number): Look =>
  async (page) => {
    await resize(page, size);
    return await smallControls(page, least);
  };

/** Runs axe on a phone only if the page shows the rows of a table as cards there, because cards have other markup than the table. */
const cards: Look = async (page) =>
  (await page.locator('main ul > li dl').count()) > 0 ? await axeFaults(page, { without: WITHOUT }) : [];

const unseen =
  (steps: number): Look =>
  async (page) => {
    await resize(page, PHONE);
    return [...(await unseenFocus(page, steps)), ...(await unseenFocus(page, steps, 'Shift+Tab'))];
  };

type Looks = readonly (readonly [where: string, look: Look])[];

const AT_DESK: Looks = [
  ['in light', axe('light')],
  ['in dark', axe('dark', isLongForm ? 'all' : 'of colors')],
  ['at a desk', small(DESK, 24)],
  ['with less motion', movingThings],
  ['in forced colors', unmarkedChoices],
  ['on a tablet', overflow(TABLET.width, TABLET.height)],
  ['at twice the size', overflow(640, 400, 2)],
];
const ON_TABLET: Looks = [['on a tablet with touch', small(TABLET, 44)]];
const ON_PHONE: Looks = [
  ['on a phone', small(PHONE, 44)],
  ['on a phone', isLongForm ? axe('light') : cards],
  ...(isLongForm ? [['on a phone in dark', axe('dark')] as const] : []),
  ['at 320 px', overflow(320, 640)],
  ['with the focus', unseen(isLongForm ? 30 : 5)],
];

async function faultsOf(page: Page, looks: Looks): Promise<string[]> {
  const faults: string[] = [];
  for (const [where, look] of looks) {
    for (const fault of await look(page)) faults.push(`${where}: ${fault}`);
  }
  return faults;
}

/**
 * Runs all checks on one page. The page is opened with the width of a desktop and later narrowed to that of a phone. A state that exists
 * only on a phone is opened with the width of a phone.
 */
async function faultsOnce(open: Opening, { width }: VisualState): Promise<string[]> {
  const page = await open({ viewport: width === 'phone' ? PHONE : DESK });
  return await faultsOf(page, [...(width === 'phone' ? [] : AT_DESK), ...(width === 'desk' ? [] : ON_PHONE)]);
}

const TOUCH_TABLET: BrowserContextOptions = { viewport: TABLET, isMobile: true, hasTouch: true };
/** Whether the state belongs to the pick-up counter, which staff also use on a tablet without a keyboard. */
const isCounter = ({ name, width }: VisualState): boolean => name.startsWith('counter') && width !== 'phone';
/** The states of tables that staff also read on a tablet without a keyboard. */
const TABLES = new Set(['payments', 'orders']);

/**
 * With FEASTDAY_PROVE=full, each state is opened separately for each of these devices. Each device has its own test, because opening a list
 * of 500 rows takes long.
 */
const DEVICES: readonly { where: string; except: VisualState['width']; device: BrowserContextOptions; looks: Looks }[] = [
  { where: 'on a phone', except: 'desk', device: { viewport: PHONE, isMobile: true, hasTouch: true }, looks: ON_PHONE },
  { where: 'at a desk', except: 'phone', device: { viewport: DESK }, looks: AT_DESK },
];

/** The states that exist only in print. */
const ON_PAPER = new Set(['join-link-sheet']);

/** One state of each screen and of each kind of dialog. The other states of a screen differ from it only in their data. */
const KINDS =
  `sign-in-refused customer-dashboard customer-contact-invalid customer-order-summary customer-order-conflict print-own-order price-sheet
    admin-add-distributor customers-menu bulk-check upload-failed send-email-preview email-log products add-product reprice-question orders pay
    report-tab payments weighing edit-order-typed ordering-times-faults short-delivery-preview customer-order-waiting customer-order-slots
    counter-weighed counter-refund counter-overtaken tills close-till control-room`.split(/\s+/);
const SAMPLE = new Set(sampleOf(KINDS, 1));
const ALL_STATES = Object.values(VISUAL_STATES).flat();
const COUNTER_STATES = ALL_STATES.filter(isCounter);
const TABLET_STATES = [
  ...(isLongForm ? COUNTER_STATES : sampleOf(COUNTER_STATES, 1)),
  ...ALL_STATES.filter(({ name }) => TABLES.has(name)),
];

test.describe.configure({ mode: 'parallel' });
for (const [area, states] of Object.entries(VISUAL_STATES)) {
  for (const state of states) {
    const title = `${area}: ${state.name} can be seen, pressed and walked through by everybody`;
    if (isLongForm && !ON_PAPER.has(state.name)) {
      for (const { where, device, looks } of DEVICES.filter(({ except }) => state.width !== except)) {
        test(`${title}, ${where}`, { tag: '@desk' }, async ({ open }) => {
          expect(await faultsOf(await open(state, device), looks)).toEqual([]);
        });
      }
    }
    if (!isLongForm && SAMPLE.has(state.name)) {
      test(title, { tag: '@desk' }, async ({ open }) => {
        expect(await faultsOnce((device) => open(state, device), state)).toEqual([]);
      });
    }
  }
}

for (const state of TABLET_STATES) {
  test(`every control of ${state.name} is large enough for a finger on a tablet`, { tag: '@desk' }, async ({ open }) => {
    expect(await faultsOf(await open(state, TOUCH_TABLET), ON_TABLET)).toEqual([]);
  });
}
