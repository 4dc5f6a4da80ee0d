import { RefreshCw } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { Chips, SegmentedControl } from '../../client/ui/forms/choices.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { Badge, type Tone } from '../../client/ui/feedback/badge.tsx';
import { SkeletonTable } from '../../client/ui/feedback/skeleton.tsx';
import { Table } from '../../client/ui/table/table.tsx';
import type { Column } from '../../client/ui/table/table-column.ts';
import { useTable } from '../../client/ui/table/use-table.ts';
import { useRead, useSave } from '../../client/api/use-calls.ts';
import { paymentTime } from '../../shared/dates.ts';
import { listEmails, resendEmail, type LoggedMail } from './contract.ts';
import {
  answerText,
  EARLIER,
  EMAILS,
  KIND,
  KINDS,
  NO_MAILS,
  NONE_IN_STATE,
  ON_ITS_WAY_AGAIN,
  ORIGINS,
  REFRESH,
  SEND_AGAIN,
  sendAgainLabel,
  STATE,
  STATES,
  SUBJECT,
  TIME,
  TO,
  whyText,
} from './texts.ts';

type Status = LoggedMail['status'];
type Origin = keyof typeof ORIGINS;

const TONES: Record<Status, Tone> = { queued: 'wait', sending: 'wait', sent: 'good', failed: 'bad', unknown: 'bad', suppressed: 'none' };
/** The kinds of mail that the distributor writes. Mails of all other kinds are sent automatically. */
const WRITTEN_KINDS: readonly LoggedMail['kind'][] = ['bulk', 'test'];

const mayBeSentAgain = ({ status }: LoggedMail): boolean => status === 'failed' || status === 'unknown';

const COLUMNS: readonly Column<LoggedMail>[] = [
  { id: 'to', header: TO, value: (mail) => mail.to, filter: 'text', card: 'title' },
  {
    id: 'subject',
    header: SUBJECT,
    value: (mail) => mail.subject || KINDS[mail.kind],
    filter: 'text',
    cell: (mail) => <Subject mail={mail} />,
    width: '28%',
  },
  {
    id: 'state',
    header: STATE,
    value: (mail) => STATES[mail.status],
    cell: (mail) => <State mail={mail} />,
    width: '32%',
  },
  {
    id: 'time',
    header: TIME,
    value: (mail) => timeOf(mail),
    text: (mail) => paymentTime(timeOf(mail)),
    width: '7.5rem',
  },
];

const timeOf = ({ sentAt, createdAt }: LoggedMail): string => sentAt ?? createdAt;

function Subject({ mail: { subject, kind } }: { mail: LoggedMail }): ReactNode {
  return (
    <>
      {subject || KINDS[kind]}
      {subject !== '' && KINDS[kind] !== null && <span className="block text-xs text-ink-soft">{KINDS[kind]}</span>}
    </>
  );
}

function State({ mail }: { mail: LoggedMail }): ReactNode {
  const why = whyText(mail);
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 md:justify-between">
      <Badge tone={TONES[mail.status]}>{STATES[mail.status]}</Badge>
      {mayBeSentAgain(mail) && <SendAgain mail={mail} />}
      {why !== null && <p className="w-full text-s">{why}</p>}
      {mail.response !== null && <p className="w-full text-xs break-words text-ink-soft">{answerText(mail.response)}</p>}
    </div>
  );
}

function SendAgain({ mail }: { mail: LoggedMail }): ReactNode {
  const { save, isSaving } = useSave(resendEmail, { onSaved: () => toast({ title: ON_ITS_WAY_AGAIN }) });
  return (
    <Button size="s" isLoading={isSaving} aria-label={sendAgainLabel(mail.to)} onClick={() => void save({ params: { id: mail.id } })}>
      {SEND_AGAIN}
    </Button>
  );
}

/** Shows a distributor's sent and queued mails, one row for each recipient, with their states (contract §8). */
export function EmailLog(): ReactNode {
  const read = useRead(listEmails);
  const { data: mails, isFetching, refetch } = read;
  if (!mails) return <Pending read={read} waiting={<SkeletonTable />} />;
  if (mails.length === 0) return <EmptyState picture="list" text={NO_MAILS} />;
  const refresh = (
    <Button size="s" icon={<RefreshCw aria-hidden />} isLoading={isFetching} onClick={() => void refetch()}>
      <span className="sr-only md:not-sr-only">{REFRESH}</span>
    </Button>
  );
  return <Mails mails={mails} refresh={refresh} />;
}

const originOf = ({ kind }: LoggedMail): Origin => (WRITTEN_KINDS.includes(kind) ? 'written' : 'automatic');
const KIND_OPTIONS = (Object.keys(ORIGINS) as Origin[]).map((value) => ({ value, label: ORIGINS[value] }));

function Mails({ mails, refresh }: { mails: readonly LoggedMail[]; refresh: ReactNode }): ReactNode {
  const [status, setStatus] = useState<Status | 'all'>('all');
  const [origin, setOrigin] = useState<Origin>('all');
  const ofOrigin = useMemo(() => mails.filter((mail) => origin === 'all' || originOf(mail) === origin), [mails, origin]);
  const rows = useMemo(() => ofOrigin.filter((mail) => status === 'all' || mail.status === status), [ofOrigin, status]);
  const table = useTable({ columns: COLUMNS, rows, rowKey: (mail) => mail.id });
  const counts = Map.groupBy(ofOrigin, (mail) => mail.status);
  const states = (Object.keys(STATES) as Status[]).filter((one) => one === status || counts.has(one));
  const options = [
    { value: 'all' as const, label: ORIGINS.all, count: ofOrigin.length },
    ...states.map((one) => ({ value: one, label: STATES[one], count: counts.get(one)?.length ?? 0 })),
  ];
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-2.5 gap-y-3">
        <SegmentedControl label={KIND} options={KIND_OPTIONS} value={origin} onValue={setOrigin} className="max-md:w-auto max-md:grow" />
        {refresh}
        <Chips label={STATE} options={options} value={status} onValue={setStatus} className="-ms-1 w-full" />
      </div>
      <div className="overflow-hidden rounded-card border border-line">
        {/* This table always renders all rows. By default, a long table renders only the rows that are visible at the scroll position of
            the page, but here the dialog scrolls instead of the page. */}
        <Table table={table} label={EARLIER} noun={EMAILS} empty={NONE_IN_STATE} renderAllUpTo={1000} />
      </div>
    </>
  );
}
