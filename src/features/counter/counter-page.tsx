import { use, useCallback, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { CallContext } from '../../client/api/use-calls.ts';
import { setDeviceOwner } from '../../client/storage/device-owner.ts';
import { Page } from '../../client/ui/layout/page.tsx';
import { PageHeader } from '../../client/ui/layout/page-header.tsx';
import { EmptyState } from '../../client/ui/feedback/empty-state.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../client/ui/feedback/skeleton.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import { homeOf } from '../../domain/accounts/roles.ts';
import { shortDate } from '../../shared/dates.ts';
import { LogoutButton } from '../auth/account/logout-button.tsx';
import { preloadSignOut } from '../auth/account/use-sign-out-question.tsx';
import { useAuth, useUser } from '../auth/auth-provider.tsx';
import { welcomeText } from '../auth/texts.ts';
import { RehearsalBanner } from '../rehearsals/rehearsal-banner.tsx';
import { CounterMenu } from './counter-menu.tsx';
import { CounterStore } from './device/counter-store.ts';
import { keepStorage, registerWorker } from './device/register-worker.ts';
import { OthersEntries } from './others-entries.tsx';
import { CounterNotice } from './screen/counter-notice.tsx';
import { CounterScreen } from './screen/counter-screen.tsx';
import { QueueDialog } from './screen/queue-dialog.tsx';
import { StatusButton } from './screen/status-button.tsx';
import { NOT_ACCEPTING_ACTUALS } from '../../domain/texts.ts';
import { BACK, COUNTER, NOT_ACCEPTING_LEAD } from './texts.ts';

/** The screen on which staff find an order, weigh it, take the payment and hand the goods over (contract §14). */
export function CounterPage(): ReactNode {
  const user = useUser();
  const { refreshUser } = useAuth();
  const { id } = useParams<{ id: string }>();
  const call = use(CallContext);
  // If the same user is still signed in after a counter has closed, for example because another user had signed in meanwhile, a new counter
  // begins.
  const [closed, setClosed] = useState(0);
  const onSignedOut = (): void => void refreshUser().then(() => setClosed((count) => count + 1));
  const store = useMemo(
    () => new CounterStore({ call, user, distributionId: Number(id), onSignedOut }),
    // Depends on the user's id only. A new object for the same user, as after reading the user again, must not restart the counter.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [call, user.id, id, closed],
  );
  const [isReady, setIsReady] = useState(false);
  useEffect(() => store.start(), [store]);
  useEffect(() => {
    setDeviceOwner(user.id);
    void preloadSignOut();
    // The registration of the service worker may fail. The counter then still works offline as long as its page stays open.
    registerWorker(() => setIsReady(true)).catch(() => undefined);
    keepStorage().catch(() => undefined);
  }, [user.id]);
  // The page is rendered again only when the distribution changes or the queue dialog opens or closes.
  const distribution = useSyncExternalStore(store.subscribe, () => store.view().snapshot?.distribution ?? null);
  const [isQueueOpen, setIsQueueOpen] = useState(false);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const showQueue = useCallback(() => setIsQueueOpen(true), []);
  const hideQueue = useCallback(() => setIsQueueOpen(false), []);
  return (
    <Page welcome={welcomeText(user.email)} logout={<LogoutButton />} notice={<CounterNotice store={store} onShowQueue={showQueue} />}>
      <PageHeader
        title={COUNTER}
        back={{ href: `${homeOf(user.role)}/distribution/${id}`, label: BACK }}
        context={
          distribution && (
            <>
              <span className="font-semibold text-ink">{distribution.name}</span>
              <span aria-hidden>·</span>
              <span>{shortDate(distribution.date)}</span>
            </>
          )
        }
      />
      {/* The state of the connection, the name of the opened family and Undo stay visible when the page scrolls. On a phone, the name
          replaces the menu. */}
      <div className="group no-print sticky top-0 z-20 -mx-4 -mt-4 mb-2 flex flex-wrap items-center gap-2.5 bg-paper px-4 py-2 max-md:has-data-family:flex-nowrap max-[22rem]:not-has-data-family:*:shrink! md:-mx-10 md:flex-nowrap md:px-10">
        <StatusButton store={store} onOpen={showQueue} />
        <CounterMenu distributionId={id} />
        <div ref={setBar} className="contents" />
      </div>
      {distribution?.rehearsal === true && <RehearsalBanner />}
      <CounterBody store={store} bar={bar} isReady={isReady} isQueueOpen={isQueueOpen} onHideQueue={hideQueue} />
    </Page>
  );
}

interface CounterBodyProps {
  store: CounterStore;
  /** The element into which the screen renders the name of the opened family, the last action and its Undo button. */
  bar: HTMLElement | null;
  /** Whether the counter also opens without a network. */
  isReady: boolean;
  isQueueOpen: boolean;
  onHideQueue: () => void;
}

function CounterBody({ store, bar, isReady, isQueueOpen, onHideQueue }: CounterBodyProps): ReactNode {
  const view = useSyncExternalStore(store.subscribe, store.view);
  const [openOrder, setOpenOrder] = useState<number | null>(null);
  const [searchText, setSearchText] = useState('');
  const open = useCallback(
    (orderId: number | null) => {
      setOpenOrder(orderId);
      if (orderId === null) return;
      // A text in the search would hide the order.
      setSearchText('');
      store.opened(orderId);
    },
    [store],
  );
  // After Undo, the order that is open stays open. If none is open, the order of the undone action is opened.
  const reopen = useCallback((orderId: number) => setOpenOrder((opened) => opened ?? orderId), []);
  const { snapshot, othersUnsent, isClosed, error } = view;
  return (
    <>
      <OthersEntries count={othersUnsent} />
      {isClosed ? (
        <Card>
          <EmptyState picture="scale" text={NOT_ACCEPTING_ACTUALS} action={<p className="text-s text-ink-soft">{NOT_ACCEPTING_LEAD}</p>} />
        </Card>
      ) : snapshot ? (
        <CounterScreen
          store={store}
          view={{ ...view, snapshot }}
          bar={bar}
          searchText={searchText}
          onSearchText={setSearchText}
          openOrder={openOrder}
          onOpenOrder={open}
          onReopen={reopen}
        />
      ) : (
        <Pending read={{ error, refetch: store.refresh }} waiting={<SkeletonTable rows={8} hasHead />} />
      )}
      <QueueDialog open={isQueueOpen} onClose={onHideQueue} store={store} isReady={isReady} onOpenFamily={open} />
    </>
  );
}
