// Lists the visual states of tills, the control room, and the prints for the pick-up (contract §14, §15).
import type { VisualState, VisualStateData } from './setup/visual-state.ts';
import { after, answered, at, press, reads, refused, type, unanswered, waits } from './setup/steps.ts';

type Which = 'open' | 'weighing' | 'draft';
const page =
  (name: 'tills' | 'control-room' | 'pick-up-print', of: Which = 'weighing', more = '') =>
  (ids: VisualStateData): string =>
    `/distributor/distribution/${ids[of]}/${name}${more}`;
const tills = '**/api/distributions/*/tills';
const progress = '**/api/distributions/*/progress';
const prints = '**/api/distributions/*/print-orders*';

const state = (name: string, open: VisualState['open'], rows: VisualState['rows'] = 'few'): VisualState => ({
  name,
  as: 'distributor',
  rows,
  open,
});

export const TILL_STATES: readonly VisualState[] = [
  state('tills', at(page('tills'), reads('Sum of all tills'))),
  state('tills-none', at(page('tills', 'open'), reads('No till has been opened yet.'))),
  state('tills-loading', after(unanswered(tills), waits(page('tills')))),
  state('tills-failed', after(refused(tills), at(page('tills')))),
  state('open-till', at(page('tills', 'open'), press('Open my till'))),
  state(
    'open-till-faults',
    at(
      page('tills', 'open'),
      press('Open my till'),
      type('Float', 'ten'),
      async (shown) => await shown.getByLabel('Float').press('Enter'),
      reads(/^Type an amount/),
    ),
  ),
  state('close-till', at(page('tills'), press(/^Close till of/))),
  {
    name: 'tills-agent',
    as: 'agent',
    rows: 'few',
    open: at(({ weighing }) => `/agent/distribution/${weighing}/tills`, reads('No till has been opened yet.')),
  },

  state('control-room', at(page('control-room'), reads('Projected finish'))),
  state('control-room-none', at(page('control-room', 'draft'), reads('Projected finish'))),
  state('control-room-loading', after(unanswered(progress), waits(page('control-room')))),
  state('control-room-failed', after(refused(progress), at(page('control-room')))),
  state('control-room-old', at(page('control-room'), reads('Projected finish'), refused(progress), reads(/^Figures are from/))),
  state('control-room-many', at(page('control-room'), reads('Projected finish')), 'many'),

  state('pick-up-print', at(page('pick-up-print'), reads(/orders$/))),
  state('pick-up-print-labels', at(page('pick-up-print', 'weighing', '?paper=labels&per=unit'), reads(/no margins/))),
  state('pick-up-print-none', at(page('pick-up-print', 'draft'))),
  state('pick-up-print-failed', after(answered(prints, 500, 'Oops'), at(page('pick-up-print')))),
];
