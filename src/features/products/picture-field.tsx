import { ImagePlus } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../client/ui/button.tsx';
import { FieldError } from '../../client/ui/field.tsx';
import { useSave } from '../../client/use-calls.ts';
import { deleteProductImage, saveProductImage } from './contract.ts';
import { useOwnPictures } from './own-pictures.tsx';
import { pictureOf } from './pictures.ts';
import { PICTURE_LIMITS, PICTURE_TOO_LARGE, PICTURE_WITHOUT_CODE } from './texts.ts';

const LARGEST_FILE = 2 * 1024 * 1024;

/** What becomes of the picture when the product is saved; null: it stays. */
export type PictureChange = { file: File; address: string } | 'remove' | null;

export interface PictureFieldProps {
  /** As it is typed; null while it is none. */
  code: number | null;
  change: PictureChange;
  onChange: (change: PictureChange) => void;
}

/** The picture of a product code: seen, chosen, removed; saved with the product (contract §4). */
export function PictureField({ code, change, onChange }: PictureFieldProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const own = useOwnPictures().get(code ?? -1);
  useEffect(() => () => revoke(change), [change]);
  const chosen = change !== null && change !== 'remove' ? change.address : null;
  const kept = change === 'remove' ? null : (own ?? null);
  const shown = code === null ? null : (chosen ?? kept ?? pictureOf(code));

  const take = (file: File | undefined): void => {
    if (!file) return;
    const isTooLarge = file.size > LARGEST_FILE;
    setProblem(isTooLarge ? PICTURE_TOO_LARGE : undefined);
    if (!isTooLarge) onChange({ file, address: URL.createObjectURL(file) });
  };
  return (
    <fieldset aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 text-s font-semibold">Picture</legend>
      <div className="flex items-start gap-4">
        <div className="grid aspect-[4/3] w-28 shrink-0 place-items-center overflow-hidden rounded-ctl border border-line bg-sunk text-ink-soft">
          {shown === null ? (
            <ImagePlus className="size-7" strokeWidth={1.4} aria-hidden />
          ) : (
            <img src={shown} alt={altOf(chosen, kept)} className="size-full object-contain" />
          )}
        </div>
        <div className="min-w-0">
          <p id={`${id}-hint`} className="text-s text-ink-soft">
            {code === null ? PICTURE_WITHOUT_CODE : `${PICTURE_LIMITS} Shown wherever product code ${code} is sold.`}
          </p>
          <FieldError id={`${id}-error`} error={problem} />
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            aria-label="Picture file"
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              take(event.target.files?.[0]);
              // The same file, mended, can be chosen again.
              event.target.value = '';
            }}
          />
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="s" disabled={code === null} onClick={() => input.current?.click()}>
              {chosen === null && kept === null ? 'Choose a picture' : 'Replace the picture'}
            </Button>
            {(chosen !== null || kept !== null) && code !== null && (
              <Button
                size="s"
                variant="quiet"
                onClick={() => {
                  setProblem(undefined);
                  onChange(own === undefined ? null : 'remove');
                }}
              >
                Remove
              </Button>
            )}
          </div>
        </div>
      </div>
    </fieldset>
  );
}

function altOf(chosen: string | null, kept: string | null): string {
  if (chosen !== null) return 'The chosen picture';
  return kept === null ? 'The drawing shown without a picture' : 'The present picture';
}

function revoke(change: PictureChange): void {
  if (change !== null && change !== 'remove') URL.revokeObjectURL(change.address);
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^.*?,/, '') : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')));
    reader.readAsDataURL(file);
  });

/** Saves what was chosen for a product's code; nothing to do without one. */
export function useSavePicture(): { savePicture: (code: number | null, change: PictureChange) => Promise<void>; isSaving: boolean } {
  const own = useOwnPictures();
  const setting = useSave(saveProductImage);
  const removing = useSave(deleteProductImage);
  const savePicture = async (productCode: number | null, change: PictureChange): Promise<void> => {
    if (productCode === null || change === null) return;
    if (change === 'remove') {
      if (own.has(productCode)) await removing.save({ params: { productCode } });
      return;
    }
    const image = await base64Of(change.file).catch(() => '');
    await setting.save({ params: { productCode }, body: { image } });
  };
  return { savePicture, isSaving: setting.isSaving || removing.isSaving };
}
