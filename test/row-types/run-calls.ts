// Finds the calls of `run`, `runOne` and `runSingle` (src/server/database/db.ts) in the source code, and the row types that these calls declare.
import { relative } from 'node:path';
import type { Checker, Project, Type, TypeReference } from 'typescript/unstable/sync';
import type { CallExpression, Expression, Node } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';

export interface RunCall {
  /** The path of the file relative to the repository. */
  readonly file: string;
  readonly node: CallExpression;
  readonly row: Type;
  /** The expression whose value is the SQL statement. */
  readonly statement: Expression;
}

/** Returns the row type of a call, that is, `Row` if the call returns `Promise<Row[]>`, `Promise<Row | null>` or `Promise<Row>`. */
function rowOf(checker: Checker, call: CallExpression): Type | undefined {
  const signature = checker.getResolvedSignature(call);
  const [rows] = signature ? checker.getTypeArguments(checker.getReturnTypeOfSignature(signature) as TypeReference) : [];
  return rows && (checker.isArrayType(rows) ? checker.getTypeArguments(rows as TypeReference)[0] : checker.getNonNullableType(rows));
}

const isRunOfDb = (checker: Checker, { expression }: CallExpression): boolean => {
  if (!is.isIdentifier(expression) || !['run', 'runOne', 'runSingle'].includes(expression.text)) return false;
  const symbol = checker.getSymbolAtLocation(expression);
  const [declaration] = symbol?.declarations ?? [];
  const node = declaration?.resolve();
  if (!symbol || !node || !is.isImportSpecifier(node)) return false;
  return String(checker.getAliasedSymbol(symbol).declarations[0]?.path).endsWith('/src/server/database/db.ts');
};

function callsIn(node: Node, calls: CallExpression[] = []): CallExpression[] {
  if (is.isCallExpression(node)) calls.push(node);
  node.forEachChild((child) => void callsIn(child, calls));
  return calls;
}

/** Returns the calls of `run`, `runOne` and `runSingle` in the files of a folder except tests. Calls whose row type has no columns are left out. */
export function runCalls({ program, checker, rootFiles }: Project, folder: string): RunCall[] {
  return rootFiles
    .filter((name) => relative('.', name).startsWith(folder) && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const source = program.getSourceFile(name);
      if (!source?.text.includes('run')) return [];
      return callsIn(source)
        .filter((call) => isRunOfDb(checker, call))
        .flatMap((node): RunCall[] => {
          const row = rowOf(checker, node);
          const statement = node.arguments[1];
          return row && statement && checker.getPropertiesOfType(row).length > 0
            ? [{ file: relative('.', name), node, row, statement }]
            : [];
        });
    });
}
