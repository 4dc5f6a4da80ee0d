import { useState, type ReactNode } from 'react';
import { useSave } from '../../client/api/use-calls.ts';
import { toast } from '../../client/toasts/toast.ts';
import { Button } from '../../client/ui/forms/button.tsx';
import { CheckRow } from '../../client/ui/forms/check-row.tsx';
import { optionsOf, SegmentedControl } from '../../client/ui/forms/choices.tsx';
import { TextField } from '../../client/ui/forms/field.tsx';
import { Warning } from '../../client/ui/feedback/warning.tsx';
import { Dialog, DialogCancel, DialogFooter } from '../../client/ui/overlays/dialog.tsx';
import { Form } from '../../client/ui/forms/form.tsx';
import { SHARING_RULES, type SharingRule } from '../../domain/ordering/short-delivery.ts';
import type { ReplyOf } from '../../shared/endpoint.ts';
import { sortNameOrEmail } from '../../shared/person-name.ts';
import type { Distribution } from '../distributions/contract.ts';
import type { Product } from '../products/contract.ts';
import { shareOut, type Lowered, type Share } from './contract.ts';
import {
  fewerText,
  lessText,
  lostText,
  loweredText,
  lowersText,
  lowerText,
  marksText,
  NOTIFY,
  PREVIEW,
  RULE,
  RULE_MEANS,
  RULES,
  SHARES,
  sharedText,
  shortDeliveryHint,
  shortDeliveryTitle,
  LIMITED,
  UNITS_THAT_CAME,
} from './texts.ts';

interface ShortDeliveryDialogProps {
  distribution: Distribution;
  product: Product;
  /** The product's name, with the details that distinguish it from products of the same name. */
  name: string;
  onClose: () => void;
}

const RULE_OPTIONS = optionsOf(SHARING_RULES, RULES);

const unitsIn = (text: string): number | null => (/^\d{1,7}$/.test(text.trim()) ? Number(text) : null);

/** In this dialog staff enter the delivered units, preview each customer's share, and lower the orders (contract §16). */
export function ShortDeliveryDialog({ distribution, product, name, onClose }: ShortDeliveryDialogProps): ReactNode {
  const params = { id: distribution.id, productId: product.id };
  const ordered = product.total_ordered ?? 0;
  const [typed, setTyped] = useState('');
  const [rule, setRule] = useState<SharingRule>('proportional');
  const [problem, setProblem] = useState<string>();
  const [preview, setPreview] = useState<ReplyOf<typeof shareOut> | null>(null);
  const [notify, setNotify] = useState(true);
  // A preview changes no data on the server, so no data needs to be loaded again after it.
  const previewing = useSave(shareOut, { refresh: false });
  const applying = useSave(shareOut, { refresh: 'always' });
  const readPreview = async (): Promise<void> => {
    const units = unitsIn(typed);
    if (units === null || units >= ordered) return setProblem(fewerText(ordered));
    const previewed = await previewing.save({ params, body: { units, rule, preview: true } });
    if (previewed.ok) setPreview(previewed.reply);
  };
  const apply = async ({ units, quantitiesHash }: ReplyOf<typeof shareOut>, orders: number): Promise<void> => {
    const saved = await applying.save({ params, body: { units, rule, notify, quantitiesHash } });
    if (!saved.ok) return setPreview(null);
    toast({ title: loweredText(orders), description: sharedText(name, units) });
    onClose();
  };
  const change = (): void => {
    setPreview(null);
    setProblem(undefined);
  };
  const less = preview?.shares.filter((share) => share.gets < share.ordered).length ?? 0;
  return (
    <Dialog onClose={onClose} title={shortDeliveryTitle(name)} description={shortDeliveryHint(ordered)} size="m" isDirty={typed !== ''}>
      <Form onSubmit={readPreview}>
        <div className="grid gap-5">
          <TextField
            label={UNITS_THAT_CAME}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              change();
            }}
            error={problem}
          />
          <div className="grid gap-2.5">
            <p className="text-s font-semibold">{RULE}</p>
            <SegmentedControl
              label={RULE}
              options={RULE_OPTIONS}
              value={rule}
              onValue={(value) => {
                setRule(value);
                change();
              }}
            />
            <p className="text-s text-ink-soft">{RULE_MEANS[rule]}</p>
          </div>
          {preview && (
            <>
              <Consequences lowered={preview.lowered} />
              <Shares shares={preview.shares} />
              <div>
                <CheckRow isOn={notify} onToggle={setNotify}>
                  {NOTIFY}
                </CheckRow>
                <p className="mt-2 text-s text-ink-soft">{LIMITED}</p>
              </div>
            </>
          )}
        </div>
        <DialogFooter>
          <DialogCancel />
          {preview ? (
            <Button variant="danger" isLoading={applying.isSaving} onClick={() => void apply(preview, less)}>
              {lowerText(less)}
            </Button>
          ) : (
            <Button type="submit" variant="main" isLoading={previewing.isSaving}>
              {PREVIEW}
            </Button>
          )}
        </DialogFooter>
      </Form>
    </Dialog>
  );
}

function Consequences({ lowered }: { lowered: Lowered }): ReactNode {
  return (
    <Warning role="status" title={lowersText(lowered)}>
      <p className="mt-1 text-s">{lostText(lowered)}</p>
    </Warning>
  );
}

function Shares({ shares }: { shares: readonly Share[] }): ReactNode {
  const isLowered = ({ ordered, gets }: Share): boolean => gets < ordered;
  const sorted = [...shares.filter(isLowered), ...shares.filter((share) => !isLowered(share))];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable list must be focusable by keyboard
    <ul aria-label={SHARES} tabIndex={0} className="max-h-72 overflow-y-auto rounded-ctl border border-line-strong px-3">
      {sorted.map(({ orderId, ordered, gets, ...order }) => (
        <li key={orderId} className="flex items-baseline justify-between gap-4 border-b border-line py-2 text-s last:border-b-0">
          <span className="min-w-0 break-words">
            {sortNameOrEmail(order)}
            {gets < ordered && <span className="block text-xs font-semibold text-wait empty:hidden">{marksText(order)}</span>}
          </span>
          <span className={gets < ordered ? 'num font-semibold' : 'num text-ink-soft'}>
            {gets < ordered ? lessText(ordered, gets) : ordered}
          </span>
        </li>
      ))}
    </ul>
  );
}
