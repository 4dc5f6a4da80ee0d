import { ImagePlus } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../../client/ui/forms/button.tsx';
import { FieldError } from '../../../client/ui/forms/field.tsx';
import { CallError } from '../../../client/api/fetch.ts';
import { useRead, useSave } from '../../../client/api/use-calls.ts';
import { MAX_PICTURE_FILE } from '../../../shared/picture-limits.ts';
import { deleteProductImage, listProductImages, saveProductImage } from '../contract.ts';
import { useDistributorPictures } from './distributor-pictures.tsx';
import {
  CHOOSE_PICTURE,
  PICTURE,
  PICTURE_ALTS,
  PICTURE_CHANGED,
  PICTURE_FILE,
  PICTURE_NOT_SAVED,
  PICTURE_TOO_LARGE,
  PICTURE_UNREADABLE,
  PICTURE_WITHOUT_CODE,
  pictureHint,
  pictureOfOtherText,
  REMOVE,
  REPLACE_PICTURE,
} from '../texts.ts';

/**
 * An unsaved change of the picture of a product code; null if there is no change. `file` is null if the picture is to be removed. `before` is
 * the hash of the picture that the user saw, or null if there was none, or undefined if the pictures were not loaded yet.
 */
export type PictureChange = { code: number; file: File | null; address: string; before: string | null | undefined } | null;

/** Whether the file was chosen for another product code than the one now typed. */
export const isForOtherCode = (change: PictureChange, code: number | null): boolean => Boolean(change?.file) && change?.code !== code;

interface PictureFieldProps {
  /** The product code as typed; null while it is missing or invalid. */
  code: number | null;
  change: PictureChange;
  refusal: string | undefined;
  onChange: (change: PictureChange) => void;
}

/**
 * The field with which the user views, chooses or removes the picture of a product code. The picture is saved together with the product
 * (contract §4).
 */
export function PictureField({ code, change, refusal, onChange }: PictureFieldProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const { data: pictures } = useRead(listProductImages);
  const own = useDistributorPictures().get(code ?? -1);
  useEffect(() => () => revoke(change), [change]);
  // The change to show. A change that was made for another code than the typed one does not apply.
  const applied = change?.code === code ? change : null;
  const seen = pictures && (pictures.find(({ product_code }) => product_code === code)?.hash ?? null);
  const before = applied === null ? seen : applied.before;
  const chosen = applied?.file ? applied.address : null;
  const kept = applied?.file === null ? null : (own ?? null);
  const shown = code === null ? null : (chosen ?? kept);
  const astray = isForOtherCode(change, code);

  const take = (file: File | undefined): void => {
    if (!file || code === null) return;
    const isTooLarge = file.size > MAX_PICTURE_FILE;
    setProblem(isTooLarge ? PICTURE_TOO_LARGE : undefined);
    if (!isTooLarge) onChange({ code, file, address: URL.createObjectURL(file), before });
  };
  const refuseUnreadable = (): void => {
    setProblem(PICTURE_UNREADABLE);
    onChange(null);
  };
  const remove = (): void => {
    setProblem(undefined);
    onChange(astray || own === undefined || code === null ? null : { code, file: null, address: '', before });
  };
  return (
    <fieldset aria-describedby={`${id}-hint ${id}-error`}>
      <legend className="mb-1.5 text-s font-semibold">{PICTURE}</legend>
      <div className="flex items-start gap-4">
        <div className="grid aspect-[4/3] w-28 shrink-0 place-items-center overflow-hidden rounded-ctl border border-line bg-sunk text-ink-soft">
          {shown === null ? (
            <ImagePlus className="size-7" strokeWidth={1.4} aria-hidden />
          ) : (
            <img
              src={shown}
              alt={chosen === null ? PICTURE_ALTS.present : PICTURE_ALTS.chosen}
              onError={chosen === null ? undefined : refuseUnreadable}
              className="size-full object-contain"
            />
          )}
        </div>
        <div className="min-w-0">
          <p id={`${id}-hint`} className="text-s text-ink-soft">
            {code === null ? !astray && PICTURE_WITHOUT_CODE : pictureHint(code)}
          </p>
          <FieldError id={`${id}-error`} error={astray ? otherCodeText(change, code) : (problem ?? refusal)} />
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            aria-label={PICTURE_FILE}
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              take(event.target.files?.[0]);
              // Resets the value of the input. Otherwise the input would fire no event if the user chose the same file again.
              event.target.value = '';
            }}
          />
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="s" disabled={code === null} onClick={() => input.current?.click()}>
              {chosen === null && kept === null ? CHOOSE_PICTURE : REPLACE_PICTURE}
            </Button>
            {(astray || (code !== null && (chosen !== null || kept !== null))) && (
              <Button size="s" variant="quiet" onClick={remove}>
                {REMOVE}
              </Button>
            )}
          </div>
        </div>
      </div>
    </fieldset>
  );
}

export const otherCodeText = (change: PictureChange, code: number | null): string =>
  change === null || code === null ? PICTURE_WITHOUT_CODE : pictureOfOtherText(change.code, code);

function revoke(change: PictureChange): void {
  if (change?.file) URL.revokeObjectURL(change.address);
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^.*?,/, '') : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')));
    reader.readAsDataURL(file);
  });

/**
 * Returns a function that saves the change of the picture if it was made for the product's current code. The function resolves to the text to
 * show if that fails, and to null otherwise.
 */
export function useSavePicture(): (code: number | null, change: PictureChange) => Promise<string | null> {
  const own = useDistributorPictures();
  const setting = useSave(saveProductImage, { refresh: 'always' });
  const removing = useSave(deleteProductImage, { refresh: 'always' });
  return async (code, change) => {
    if (change === null || change.code !== code) return null;
    const params = { productCode: change.code };
    const { file, before } = change;
    if (file === null && !own.has(change.code)) return null;
    const saved = file
      ? await setting.save({ params, body: { image: await base64Of(file).catch(() => ''), ...(before !== undefined && { before }) } })
      : await removing.save({ params, query: before ? { before } : {} });
    if (saved.ok) return null;
    return saved.error instanceof CallError && saved.error.text === PICTURE_CHANGED ? PICTURE_CHANGED : PICTURE_NOT_SAVED;
  };
}
