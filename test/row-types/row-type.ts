// Compares a row type with the columns that a statement returns.
import { SymbolFlags, type Checker, type Type, type TypeReference } from 'typescript/unstable/sync';
import type { Node } from 'typescript/unstable/ast';
import type { Column, ColumnKind } from './statement-columns.ts';

const isElement = (checker: Checker, type: Type, isRight: (element: Type) => boolean): boolean => {
  const [element] = checker.isArrayLikeType(type) ? checker.getTypeArguments(type as TypeReference) : [];
  return element !== undefined && isRight(element);
};

/** Returns whether values of a column may be declared with this type. A union of literals counts as the type of its literals. */
function isOfKind(checker: Checker, type: Type, kind: ColumnKind): boolean {
  const isA = (target: Type) => (tested: Type) => checker.isTypeAssignableTo(tested, target);
  switch (kind) {
    case 'any':
      return true;
    case 'string':
      return isA(checker.getStringType())(type);
    case 'number':
      return isA(checker.getNumberType())(type);
    case 'boolean':
      return isA(checker.getBooleanType())(type);
    case 'string[]':
      return isElement(checker, type, isA(checker.getStringType()));
    case 'number[]':
      return isElement(checker, type, isA(checker.getNumberType()));
    case 'date[]':
      return isElement(checker, type, (element) => checker.typeToString(element) === 'Date');
    case 'buffer':
      return type.getSymbol()?.name === 'Buffer';
  }
}

/**
 * Returns one message for each column of a row type that differs from the columns of the statement. `at` is the place in the source where
 * the type is used.
 */
export function differences(checker: Checker, row: Type, columns: readonly Column[], at: Node): string[] {
  const returned = new Map(columns.map((column) => [column.name, column]));
  return checker.getPropertiesOfType(row).flatMap((property) => {
    const type = checker.getTypeOfSymbolAtLocation(property, at);
    const column = returned.get(property.name);
    const found = (problem: string) => [`${property.name} ${problem}`];
    if (!column) return property.flags & SymbolFlags.Optional ? [] : found('is not returned');
    if (checker.isTypeAssignableTo(checker.getUnknownType(), type)) return [];
    if (!isOfKind(checker, checker.getNonNullableType(type) ?? type, column.kind)) {
      return found(`is declared as ${checker.typeToString(type)}, but is ${column.kind}`);
    }
    if (column.isNullable && !checker.isTypeAssignableTo(checker.getNullType(), type)) return found('can be null');
    return [];
  });
}
