import clsx from 'clsx';
import { memo, type ReactNode } from 'react';
import { PHONE, useMedia } from '../../../client/hooks/use-media.ts';
import { COLUMNS, TITLE } from '../texts.ts';
import { UnitField, unitLabel, type UnitFieldProps } from './unit-field.tsx';
import type { TypedWeights } from './use-weighing.ts';
import type { Unit } from './weights.ts';

interface UnitRowsProps {
  units: readonly Unit[];
  weighing: Pick<TypedWeights, 'typed' | 'remarks' | 'replaced' | 'dispatch'>;
  isReadOnly: boolean;
  isStaff: boolean;
  onRemove: UnitFieldProps['onRemove'];
}

/** Renders the ordered units. Each unit is a row with the columns Quantity, Code and Product (spec §2), or a card on a phone. */
export function UnitRows({ units, weighing, isReadOnly, isStaff, onRemove }: UnitRowsProps): ReactNode {
  const isPhone = useMedia(PHONE);
  const Row = isPhone ? UnitCard : UnitRow;
  const rows = units.map((unit) => (
    <Row
      key={unit.key}
      unit={unit}
      text={weighing.typed[unit.key]?.text}
      before={weighing.typed[unit.key]?.before}
      remark={weighing.remarks.get(unit.key) ?? null}
      replaced={weighing.replaced.get(unit.key)}
      isReadOnly={isReadOnly}
      isStaff={isStaff}
      dispatch={weighing.dispatch}
      onRemove={onRemove}
    />
  ));
  if (isPhone) return <ul aria-label={TITLE}>{rows}</ul>;
  return (
    <div className="@container">
      <table aria-label={TITLE} className="w-full border-separate border-spacing-0 text-s">
        <thead>
          <tr className="[&>th]:border-b [&>th]:border-line [&>th]:bg-sunk [&>th]:px-3 [&>th]:py-2.5 [&>th]:first:ps-4 @2xl:[&>th]:px-4 [&>th]:text-start [&>th]:text-xs [&>th]:text-ink-soft">
            <th scope="col" className="w-74 @2xl:w-88">
              {COLUMNS.quantity}
            </th>
            <th scope="col" className="w-14 text-end! @2xl:w-20">
              {COLUMNS.code}
            </th>
            <th scope="col">{COLUMNS.product}</th>
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}

const UnitRow = memo(function UnitRow(props: UnitFieldProps): ReactNode {
  const { unit } = props;
  const { product, index } = unit;
  const cell = clsx('px-3 py-1.5 align-top first:ps-4 @2xl:px-4', index === product.quantityOrdered - 1 && 'border-b border-line');
  const line = 'flex min-h-10 items-center';
  return (
    <tr className="group">
      <td className={cell}>
        <span className={clsx('num float-start text-ink-soft', line)}>{unitLabel(unit)}</span>
        <div className="ms-14">
          <UnitField {...props} />
        </div>
      </td>
      <td className={cell}>
        <span className={clsx('num justify-end', line)}>{product.productCode}</span>
      </td>
      <th scope="row" className={clsx(cell, 'text-start')}>
        <span className={clsx(line, 'flex-wrap gap-x-2.5 font-normal text-ink-soft')}>
          <span className={clsx(index === 0 && 'font-semibold text-ink')}>{product.name}</span>
          {index === 0 && product.description !== null && <span>{product.description}</span>}
        </span>
      </th>
    </tr>
  );
});

const UnitCard = memo(function UnitCard(props: UnitFieldProps): ReactNode {
  const { unit } = props;
  const { product, index } = unit;
  return (
    <li className={clsx('px-4 py-2.5', index === product.quantityOrdered - 1 && 'border-b border-line last:border-b-0')}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <span className={clsx('min-w-0', index === 0 ? 'font-semibold' : 'text-ink-soft')}>
          {product.name}
          {product.productCode !== null && (
            <span className="num ms-2 inline-block text-s font-normal text-ink-soft">{product.productCode}</span>
          )}
        </span>
        <span className="num shrink-0 text-s text-ink-soft">{unitLabel(unit)}</span>
      </div>
      {index === 0 && product.description !== null && <p className="-mt-1 mb-1.5 text-s text-ink-soft">{product.description}</p>}
      <UnitField {...props} />
    </li>
  );
});
