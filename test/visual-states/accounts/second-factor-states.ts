// Lists the states of the second step of a sign-in, of the second factor in the account dialog, and of its recovery codes (contract §19).
import { SIGN_IN_AGAIN, WRONG_CODE } from '../../../src/features/second-factor/texts.ts';
import { PASSKEY_FAILED, STEP_EXPIRED, WRONG_RECOVERY_CODE } from '../../../src/features/second-step/texts.ts';
import type { VisualState } from '../setup/visual-state.ts';
import { after, answered, at, press, reads, saved, type, unanswered, type Step } from '../setup/steps.ts';

const state = (name: string, as: VisualState['as'], open: VisualState['open']): VisualState => ({ name, as, rows: 'few', open });

const signIn = (...secondFactor: readonly string[]): readonly Step[] => [
  answered('**/api/login', 200, { secondFactor }),
  type('Email', 'office@bethel.test'),
  async (page) => await page.getByRole('textbox', { name: 'Password' }).fill('Three-Sheep-42'),
  press('Sign in'),
  reads('One more step'),
];
const step = (status: number, text: string): Step => answered('**/api/login/second-factor', status, text);
const code: Step = async (page) => await page.getByRole('textbox', { name: 'Code', exact: true }).fill('123456');
const secondStep = (name: string, ...steps: readonly Step[]): VisualState => state(`second-step-${name}`, 'nobody', at('/auth', ...steps));

const OF_SIGN_IN: readonly VisualState[] = [
  secondStep('code', ...signIn('code')),
  secondStep('code-missing', ...signIn('code'), press('Continue'), reads('Enter the six digits')),
  secondStep(
    'code-refused',
    ...signIn('passkey', 'code'),
    press('Use a code of my app'),
    step(401, WRONG_CODE),
    code,
    press('Continue'),
    reads(WRONG_CODE),
  ),
  secondStep('expired', ...signIn('code'), step(401, STEP_EXPIRED), code, press('Continue'), reads('Enter your password again')),
  secondStep('passkey', ...signIn('passkey', 'code'), reads('Use passkey')),
  secondStep(
    'passkey-failed',
    ...signIn('passkey', 'code'),
    answered('**/api/login/second-factor/challenge', 200, { challenge: 'AAAA', rpId: 'elsewhere.test' }),
    press('Use passkey'),
    reads(PASSKEY_FAILED),
  ),
  secondStep(
    'recovery-refused',
    ...signIn('code'),
    press('Use a recovery code'),
    step(401, WRONG_RECOVERY_CODE),
    type('Recovery code', 'ABCDE-FGHIJ-KLMNO'),
    press('Continue'),
    reads(WRONG_RECOVERY_CODE),
  ),
];

const CREATED = '2027-03-01T14:00:00.000Z';
const NONE = { passkeys: [], codeApp: null, recoveryCodes: 0, isRequired: false };
const BOTH = {
  passkeys: [
    { id: 1, name: 'My phone', createdAt: CREATED, usedAt: '2027-03-09T14:00:00.000Z' },
    { id: 2, name: 'Security key in the safe of the synagogue office', createdAt: CREATED, usedAt: null },
  ],
  codeApp: { createdAt: CREATED, usedAt: CREATED },
  recoveryCodes: 7,
  isRequired: true,
};
const CODES = Array.from({ length: 10 }, (_, n) => `ABCD${n}-EFGH${n}-JKLM${n}`);
const factor = (body: object): Step => answered('**/api/user/second-factor', 200, body);
const starts = answered('**/api/user/second-factor/code-app/start', 200, {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Feastday:office%40bethel.test?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Feastday',
});
const password: Step = async (page) =>
  await page.getByRole('form').getByRole('textbox', { name: 'Password', exact: true }).fill('Three-Sheep-42');
const noName: Step = async (page) => await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
const inForm =
  (name: string): Step =>
  async (page) =>
    await page.getByRole('form').getByRole('button', { name, exact: true }).click();

/** Opens the account dialog of a user with this second factor. */
const account = (name: string, of: object, ...steps: readonly Step[]): VisualState =>
  state(`second-factor-${name}`, 'distributor', after(factor(of), at('/distributor', press('Account'), reads('Second factor'), ...steps)));
const QR_CODE: readonly Step[] = [
  starts,
  press('Set up a code app'),
  password,
  inForm('Continue'),
  reads('Or type this key into the app:'),
];

const OF_ACCOUNT: readonly VisualState[] = [
  account('none', NONE, reads('Add a passkey')),
  state(
    'second-factor-loading',
    'distributor',
    after(unanswered('**/api/user/second-factor'), at('/distributor', press('Account'), reads('Second factor'))),
  ),
  account('set', BOTH, reads('7 recovery codes left')),
  account('add-passkey', NONE, press('Add a passkey'), reads('Password')),
  account('add-passkey-missing', NONE, press('Add a passkey'), noName, inForm('Continue'), reads('Name is required')),
  account('code-app', NONE, ...QR_CODE),
  account('code-app-missing', NONE, ...QR_CODE, inForm('Continue'), reads('Enter the six digits')),
  account('rename', BOTH, press('Rename My phone'), noName, reads('Name is required')),
  account('remove', BOTH, press('Remove Code app'), reads('Remove Code app?')),
  account(
    'remove-refused',
    BOTH,
    saved('**/api/user/second-factor/passkeys/1/remove', 403, SIGN_IN_AGAIN),
    press('Remove My phone'),
    password,
    inForm('Remove'),
    reads(SIGN_IN_AGAIN),
  ),
  account('new-codes', BOTH, press('New codes'), reads('Make new recovery codes?')),
  account(
    'recovery-codes',
    NONE,
    ...QR_CODE,
    saved('**/api/user/second-factor/code-app', 201, { recoveryCodes: CODES }),
    code,
    inForm('Continue'),
    reads('I have saved them'),
  ),
];

/** The distributor requires a second factor from the agent, who has none. */
const required: Step = async (page, ids) => {
  await answered('**/api/user', 200, { ...ids.people.agent, distributorId: 1, mustAddSecondFactor: true })(page, ids);
  await factor({ ...NONE, isRequired: true })(page, ids);
};
const setUpFirst = (name: string, ...steps: readonly Step[]): VisualState =>
  state(name, 'agent', after(required, at('/agent', reads('Set up a second factor'), ...steps)));

const OF_AGENTS: readonly VisualState[] = [
  setUpFirst('second-factor-first', reads('Add a passkey')),
  setUpFirst('second-factor-first-code-app', ...QR_CODE),
];

export const SECOND_FACTOR_STATES: readonly VisualState[] = [...OF_SIGN_IN, ...OF_ACCOUNT, ...OF_AGENTS];
