import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDevice } from '../../../../test/screen.tsx';
import { draftOf } from '../../../client/storage/draft.ts';
import { useEmailDraft } from './use-email-draft.ts';
import { GROUPS } from './use-recipients.ts';

beforeEach(() => freshDevice());
afterEach(() => cleanup());

const opened = () => renderHook(() => useEmailDraft(1, 9)).result;
const TEXT = { subject: 'You still owe us', html: '<p>Please pay.</p>' };

test.each(GROUPS)('the draft of an e-mail to the group "%s" is restored with this group', (group) => {
  const before = opened();
  act(() => before.current.beginTo(group));
  act(() => before.current.change(TEXT));
  cleanup();
  expect(opened().current.written).toEqual({ ...TEXT, choice: group, unsure: 0 });
});

test('the draft of a previous version, which has no group, is restored without recipients, so that nobody gets an e-mail by mistake', () => {
  draftOf<unknown>(1, 'email-9').keep({ ...TEXT, people: null });
  expect(opened().current.written).toEqual({ ...TEXT, choice: new Set(), unsure: 0 });
});

test('a draft that was stored while a call was running is restored with the people of later calls, and says how many people the call had', () => {
  const before = opened();
  act(() => before.current.change({ ...TEXT, choice: new Set([201, 202]), unsure: 200 }));
  cleanup();
  expect(opened().current.written).toEqual({ ...TEXT, choice: new Set([201, 202]), unsure: 200 });
  const restored = opened();
  act(() => restored.current.discard());
  expect(opened().current.written).toEqual({ subject: '', html: '', choice: 'all', unsure: 0 });
});
