// Finds the strings that an expression in the source code can have, without running the code. It follows constants, templates, conditions
// and objects. It also follows calls of functions that consist of one `return`. For a parameter, it follows the arguments in all calls of
// the function.
import type { Checker } from 'typescript/unstable/sync';
import type {
  ArrowFunction,
  BindingElement,
  CallExpression,
  Expression,
  FunctionDeclaration,
  Node,
  ParameterDeclaration,
  PropertyAccessExpression,
} from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';

/** While a call is followed, maps each parameter of the called function to its argument. */
type Arguments = ReadonlyMap<Node, Value>;
interface Value {
  readonly node: Expression;
  readonly given: Arguments;
}
type FunctionNode = ArrowFunction | FunctionDeclaration;

export class UnknownText extends Error {}
const unknown = (node: Node): never => {
  throw new UnknownText(`the source does not say which string this is: ${node.getText()}`);
};

/** Returns the declaration of a variable, function or parameter. For an imported name, this is the declaration in the other file. */
function declarationOf(checker: Checker, name: Node): Node {
  const symbol = checker.getSymbolAtLocation(name) ?? unknown(name);
  const [first] = symbol.declarations;
  const declaration = first?.resolve() ?? unknown(name);
  if (!is.isImportSpecifier(declaration)) return declaration;
  return checker.getAliasedSymbol(symbol).declarations[0]?.resolve() ?? unknown(name);
}

/** Returns the expression that a function returns. The function's body must be an expression or consist of one `return`. */
function returnedBy({ body }: FunctionNode): Expression {
  if (!body) throw new UnknownText('a function without a body');
  if (!is.isBlock(body)) return body;
  const [only] = body.statements;
  return body.statements.length === 1 && only && is.isReturnStatement(only) && only.expression ? only.expression : unknown(body);
}

/** Returns the arguments for one parameter of a function in all calls of the function. */
function argumentsOfCalls(checker: Checker, parameter: ParameterDeclaration): Value[] {
  const owner = parameter.parent as FunctionNode;
  const name = is.isArrowFunction(owner) ? (owner.parent as unknown as { name: Node }).name : (owner.name ?? unknown(owner));
  const position = owner.parameters.indexOf(parameter);
  const references = checker.getReferencedSymbolsForNode(name, name.getStart()).flatMap((symbol) => symbol.references);
  const found = references.flatMap((reference) => {
    const node = reference.resolve();
    const call = node?.parent;
    if (!call || !is.isCallExpression(call) || call.expression !== node) return [];
    const argument = call.arguments[position] ?? parameter.initializer;
    return argument ? [{ node: argument, given: new Map() }] : [];
  });
  return found.length > 0 ? found : unknown(parameter);
}

const isFunction = (node: Node): node is FunctionNode => is.isArrowFunction(node) || is.isFunctionDeclaration(node);

/** Returns the expressions that give the possible values of a name, a condition, a property or a call. */
function valuesOf(checker: Checker, { node, given }: Value): Value[] {
  const follow = (next: Expression): Value[] => valuesOf(checker, { node: next, given });
  if (is.isParenthesizedExpression(node) || is.isAsExpression(node) || is.isSatisfiesExpression(node)) return follow(node.expression);
  if (is.isConditionalExpression(node)) return [...follow(node.whenTrue), ...follow(node.whenFalse)];
  if (is.isIdentifier(node)) {
    const declaration = declarationOf(checker, node);
    const argument = given.get(declaration);
    if (argument) return valuesOf(checker, argument);
    if (is.isParameterDeclaration(declaration)) return argumentsOfCalls(checker, declaration).flatMap((value) => valuesOf(checker, value));
    if (is.isVariableDeclaration(declaration) && declaration.initializer) return follow(declaration.initializer);
    if (is.isBindingElement(declaration)) return elementOf(checker, declaration, given);
    if (isFunction(declaration)) return [{ node: declaration as unknown as Expression, given }];
    return unknown(node);
  }
  if (is.isPropertyAccessExpression(node)) {
    const { name } = node;
    return follow(node.expression).flatMap((value) => propertyOf(checker, value, (property) => property === name.text));
  }
  if (is.isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    const wanted = key && is.isStringLiteral(key) ? (property: string) => property === key.text : () => true;
    return follow(node.expression).flatMap((value) => propertyOf(checker, value, wanted));
  }
  if (is.isCallExpression(node) && !isJoin(node)) {
    return follow(node.expression).flatMap((callee) => resultOf(checker, callee, node.arguments, given));
  }
  return [{ node, given }];
}

/** Returns the values of a name that a parameter declares in a pattern such as `[first, second]`. */
function elementOf(checker: Checker, element: BindingElement, given: Arguments): Value[] {
  const pattern = element.parent;
  const argument = given.get(pattern.parent);
  if (!argument) return unknown(element);
  const position = is.isArrayBindingPattern(pattern) ? pattern.elements.indexOf(element) : -1;
  return valuesOf(checker, argument).flatMap((list) => {
    const node = is.isArrayLiteralExpression(list.node) ? list.node.elements[position] : undefined;
    return node ? valuesOf(checker, { node, given: list.given }) : unknown(list.node);
  });
}

const isCallOf = (method: string, node: Node): node is CallExpression & { readonly expression: PropertyAccessExpression } =>
  is.isCallExpression(node) && is.isPropertyAccessExpression(node.expression) && node.expression.name.text === method;
const isJoin = (node: Node) => isCallOf('join', node);

/** Returns the elements of an array, also if the array is the result of `map`. */
function elementsOf(checker: Checker, { node, given }: Value): Value[] {
  if (isCallOf('map', node)) {
    const [callback] = node.arguments;
    if (!callback) return unknown(node);
    return elementsOf(checker, { node: node.expression.expression, given }).map((element) => {
      const results = resultOf(checker, { node: callback, given }, [element.node], element.given);
      return results.length === 1 && results[0] ? results[0] : unknown(node);
    });
  }
  if (is.isArrayLiteralExpression(node)) return node.elements.map((element) => ({ node: element, given }));
  const [value, ...others] = valuesOf(checker, { node, given });
  return value && others.length === 0 && value.node !== node ? elementsOf(checker, value) : unknown(node);
}

function propertyOf(checker: Checker, { node, given }: Value, isWanted: (name: string) => boolean): Value[] {
  if (!is.isObjectLiteralExpression(node)) return unknown(node);
  return node.properties.flatMap((property): Value[] => {
    if (is.isSpreadAssignment(property)) {
      return valuesOf(checker, { node: property.expression, given }).flatMap((value) => propertyOf(checker, value, isWanted));
    }
    if (!property.name || !isWanted((property.name as { text: string }).text)) return [];
    if (is.isPropertyAssignment(property)) return valuesOf(checker, { node: property.initializer, given });
    return unknown(property);
  });
}

function resultOf(checker: Checker, callee: Value, args: readonly Expression[], given: Arguments): Value[] {
  const called: Node = callee.node;
  if (!isFunction(called)) return unknown(called);
  const passed = new Map(callee.given);
  for (const [index, parameter] of called.parameters.entries()) {
    const node = args[index] ?? parameter.initializer;
    if (node) passed.set(parameter, { node, given });
  }
  return valuesOf(checker, { node: returnedBy(called), given: passed });
}

/** Returns every combination of the strings that the parts of a template can have. */
function combined(checker: Checker, parts: readonly (string | Value)[]): string[] {
  let texts = [''];
  for (const part of parts) {
    const endings = typeof part === 'string' ? [part] : textsOf(checker, part);
    texts = texts.flatMap((text) => endings.map((ending) => text + ending));
  }
  return texts;
}

function textsOf(checker: Checker, value: Value): string[] {
  return valuesOf(checker, value).flatMap(({ node, given }) => {
    if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) return [node.text];
    if (is.isNumericLiteral(node)) return [node.text.replaceAll('_', '')];
    if (is.isTemplateExpression(node)) {
      const spans = node.templateSpans.flatMap((span) => [{ node: span.expression, given }, span.literal.text]);
      return combined(checker, [node.head.text, ...spans]);
    }
    if (isJoin(node)) {
      const [separator = ','] = node.arguments.flatMap((argument) => textsOf(checker, { node: argument, given }));
      const elements = elementsOf(checker, { node: node.expression.expression, given });
      return combined(
        checker,
        elements.flatMap((element, index) => (index === 0 ? [element] : [separator, element])),
      );
    }
    return unknown(node);
  });
}

/** Returns the strings that an expression can have. Throws `UnknownText` if the source alone does not show them. */
export const constantTexts = (checker: Checker, node: Expression): string[] => [...new Set(textsOf(checker, { node, given: new Map() }))];
