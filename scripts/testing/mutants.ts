import { createHash } from 'node:crypto';
import ts from 'typescript';

/** A small change of a source file, which a test should notice. */
export type Mutant = {
  file: string;
  line: number;
  /** The line with the changed code and its replacement, e.g. `if (cents [< → <=] minimumCents)`. */
  change: string;
  /** The whole file with the change. */
  source: string;
};

const operators: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
  [ts.SyntaxKind.PlusEqualsToken]: '-=',
  [ts.SyntaxKind.MinusEqualsToken]: '+=',
};

const functions: Record<string, string> = {
  eq: 'ne',
  ne: 'eq',
  lt: 'lte',
  lte: 'lt',
  gt: 'gte',
  gte: 'gt',
  isNull: 'isNotNull',
  isNotNull: 'isNull',
  inArray: 'notInArray',
  some: 'every',
  every: 'some',
  floor: 'ceil',
  ceil: 'floor',
};

/** Methods without which an expression still has a value of the same kind. */
const removableMethods = /^(where|for|filter|sort|slice|trim|toLowerCase|onConflictDoNothing|nullable|min|max|refine)$/;

/** In the text of SQL. */
const sqlOperators: [pattern: RegExp, replacement: string][] = [
  [/(?<=\s)<=(?=\s)/g, '<'],
  [/(?<=\s)>=(?=\s)/g, '>'],
  [/(?<=\s)<(?=\s)/g, '<='],
  [/(?<=\s)>(?=\s)/g, '>='],
  [/(?<=\s)<>(?=\s)/g, '='],
  [/(?<=\s)=(?=\s)/g, '<>'],
  [/(?<=\s)\+(?=\s)/g, '-'],
  [/(?<=\s)-(?=\s)/g, '+'],
  [/\band\b/g, 'or'],
  [/\bor\b/g, 'and'],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bnot exists\b/g, 'exists'],
];

/** Returns the mutants of a file, in the order of its code. */
export function listMutants(file: string, source: string): Mutant[] {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: { start: number; end: number; replacement: string }[] = [];
  const replace = (node: ts.Node, replacement: string) =>
    found.push({ start: node.getStart(root), end: node.getEnd(), replacement });

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) visitBinary(node);
    else if (ts.isIfStatement(node)) replace(node.expression, 'false');
    else if (ts.isConditionalExpression(node)) {
      replace(node, `(${node.whenTrue.getText(root)})`);
      replace(node, `(${node.whenFalse.getText(root)})`);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      replace(node, node.operand.getText(root));
    } else if (ts.isExpressionStatement(node) && isCall(node.expression)) replace(node, ';');
    else if (ts.isNumericLiteral(node)) replace(node, String(Number(node.text) + 1));
    else if (ts.isBigIntLiteral(node)) replace(node, `${BigInt(node.text.slice(0, -1).replaceAll('_', '')) + 1n}n`);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true');
    else if (ts.isCallExpression(node)) visitCall(node);
    else if (ts.isArrayLiteralExpression(node)) visitArray(node);
    else if (ts.isRegularExpressionLiteral(node)) visitExpression(node);
    else if (ts.isTaggedTemplateExpression(node) && node.tag.getText(root) === 'sql') visitSql(node.template);
    ts.forEachChild(node, visit);
  };

  const visitBinary = (node: ts.BinaryExpression) => {
    const { left, right, operatorToken } = node;
    const isText = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
    const other = operators[operatorToken.kind];
    if (other && !(isText && other === '-')) replace(operatorToken, other);
    const { AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken } = ts.SyntaxKind;
    if (operatorToken.kind === AmpersandAmpersandToken || operatorToken.kind === BarBarToken)
      replace(node, left.getText(root));
    if ([AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken].some((kind) => kind === operatorToken.kind))
      replace(node, right.getText(root));
  };

  const visitCall = (node: ts.CallExpression) => {
    const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
    const text = name.getText(root);
    const other = Object.hasOwn(functions, text) ? functions[text] : undefined;
    if (other) replace(name, ts.isIdentifier(node.expression) ? `drizzle.${other}` : other);
    if (!ts.isPropertyAccessExpression(node.expression)) {
      if (text === 'and' || text === 'or') for (const argument of node.arguments) replace(argument, 'undefined');
    } else if (node.expression.expression.getText(root) === 'Math') {
      if (text === 'min' || text === 'max') replace(name, text === 'min' ? 'max' : 'min');
    } else if (removableMethods.test(text)) replace(node, node.expression.expression.getText(root));
  };

  const visitArray = ({ elements }: ts.ArrayLiteralExpression) => {
    if (elements.length < 2 || !elements.every(ts.isStringLiteralLike)) return;
    for (const [index, element] of elements.entries())
      replace(element, (elements[index ? index - 1 : 1] ?? element).getText(root));
  };

  /** Removes the anchors of a regular expression. */
  const visitExpression = (node: ts.RegularExpressionLiteral) => {
    const text = node.getText(root);
    if (text.startsWith('/^')) replace(node, `/${text.slice(2)}`);
    if (/\$\/\w*$/.test(text)) replace(node, text.replace(/\$(\/\w*)$/, '$1'));
  };

  const visitSql = (template: ts.TemplateLiteral) => {
    const parts = ts.isTemplateExpression(template)
      ? [template.head, ...template.templateSpans.map((span) => span.literal)]
      : [template];
    for (const part of parts) {
      for (const [pattern, replacement] of sqlOperators) {
        for (const match of part.getText(root).matchAll(pattern)) {
          const start = part.getStart(root) + match.index;
          found.push({ start, end: start + match[0].length, replacement });
        }
      }
    }
  };

  const isCall = (node: ts.Expression): boolean =>
    ts.isCallExpression(node) || (ts.isAwaitExpression(node) && isCall(node.expression));
  visit(root);
  return found
    .sort((one, other) => one.start - other.start)
    .map(({ start, end, replacement }) => {
      const from = source.lastIndexOf('\n', start - 1) + 1;
      const to = source.indexOf('\n', end);
      const change = `${source.slice(from, start)}[${source.slice(start, end)} → ${replacement}]${source.slice(end, to)}`;
      return {
        file,
        line: root.getLineAndCharacterOfPosition(start).line + 1,
        change: change.replace(/\s+/g, ' ').trim(),
        source: `import * as drizzle from 'drizzle-orm';${source.slice(0, start)}${replacement}${source.slice(end)}`,
      };
    });
}

/** Returns `size` items in their order; another seed returns others. */
export function drawSample<Item>(items: readonly Item[], size: number, seed: number): Item[] {
  const keyOf = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
  const keys = items.map((_, index) => keyOf(index));
  const limit = [...keys].sort()[size] ?? 'g';
  return items.filter((_, index) => (keys[index] ?? '') < limit);
}
