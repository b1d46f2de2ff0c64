import type { Definition } from './chunk.ts'

interface Node {
  type: string
  start: number
  end: number
  [member: string]: any
}

export type ParseScript = (name: string, text: string) => { program: Node; errors: readonly unknown[] }

/** Null if the parser is not installed or does not load. */
export async function loadScriptParser(): Promise<ParseScript | null> {
  try {
    const { parseSync } = await import('oxc-parser')
    return (name, text) => parseSync(name, text)
  } catch {
    return null
  }
}

/** Functions up to this length are one chunk. */
const LONG_LINES = 120
/** Callbacks and called functions of at least this length are searched for definitions. */
const WRAPPED_LINES = 30

/** Null if no part of the file parses. */
export function scriptDefinitions(parse: ParseScript, name: string, text: string): Definition[] | null {
  const { program, errors } = parse(name, text)
  if (errors.length > 0 && program.body.length === 0) return null
  return new Reader(text).statements(program.body)
}

class Reader {
  readonly #starts: number[] = [0]

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  statements(nodes: readonly Node[]): Definition[] {
    const found: Definition[] = []
    for (const node of nodes) {
      for (const definition of this.#statement(node, node)) {
        const before = found.at(-1)
        // Merges overloads with their implementation.
        if (before && before.name === definition.name && before.type === definition.type && isBodiless(node, nodes))
          before.end = definition.end
        else found.push(definition)
      }
    }
    return found
  }

  /** `outer` is the enclosing export, if any; the chunk covers it. */
  #statement(node: Node, outer: Node): Definition[] {
    switch (node.type) {
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        return node.declaration ? this.#statement(node.declaration, node) : []
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        return [this.#define('function', node.id?.name ?? 'default', outer, this.#inner(node))]
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return [this.#define('function', 'default', outer, this.#inner(node))]
      case 'ClassDeclaration':
      case 'ClassExpression':
        return [this.#define('class', node.id?.name ?? 'default', outer, this.#members(node.body.body))]
      case 'TSInterfaceDeclaration':
        return [this.#define('interface', node.id.name, outer)]
      case 'TSTypeAliasDeclaration':
        return [this.#define('type', node.id.name, outer)]
      case 'TSEnumDeclaration':
        return [this.#define('enum', node.id.name, outer)]
      case 'TSModuleDeclaration':
        return [this.#define('namespace', nameOf(node.id), outer, this.#blockOf(node.body))]
      case 'VariableDeclaration':
        return node.declarations.flatMap((each: Node) =>
          this.#variable(each, node.declarations.length > 1 ? each : outer, outer),
        )
      case 'ExpressionStatement':
        return this.#expression(node.expression, outer)
      default:
        return outer.type === 'ExportDefaultDeclaration' ? [this.#value(node, 'default', outer)] : []
    }
  }

  #variable({ id, init }: Node, outer: Node, statement: Node): Definition[] {
    const isExported = statement.type.startsWith('Export')
    const name = nameOf(id)
    const made = this.#value(init ?? null, name, outer)
    const isWorthIt = made.type !== 'variable' || isExported || made.end > made.start
    if (!isWorthIt || name === '') return []
    return [made]
  }

  #value(value: Node | null, name: string, outer: Node): Definition {
    switch (value?.type) {
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.#define('function', name, outer, this.#inner(value))
      case 'ClassExpression':
        return this.#define('class', name, outer, this.#members(value.body.body))
      case 'ObjectExpression':
        return this.#define('object', name, outer, this.#properties(value.properties))
      case 'CallExpression':
        return this.#define('variable', name, outer, this.#wrapped(value))
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'ParenthesizedExpression':
        return this.#value(value.expression, name, outer)
      default:
        return this.#define('variable', name, outer)
    }
  }

  #expression(node: Node, outer: Node): Definition[] {
    if (node.type === 'AssignmentExpression') {
      const name = nameOf(node.left)
      const made = this.#value(node.right, name === 'module.exports' ? 'exports' : name, outer)
      return made.type === 'variable' && made.start === made.end ? [] : [made]
    }
    if (node.type === 'UnaryExpression' || node.type === 'ParenthesizedExpression')
      return this.#expression(node.argument ?? node.expression, outer)
    return node.type === 'CallExpression' ? this.#wrapped(node) : []
  }

  #wrapped({ callee, arguments: given }: Node): Definition[] {
    const inner = callee.type === 'ParenthesizedExpression' ? callee.expression : callee
    return [inner, ...given]
      .filter((each) => isFunction(each) && this.#lines(each) >= WRAPPED_LINES)
      .flatMap((each) => this.#blockOf(each.body))
  }

  #inner(node: Node): Definition[] {
    if (this.#lines(node) <= LONG_LINES) return []
    return this.#blockOf(node.body).filter(({ type }) => type === 'function' || type === 'class')
  }

  #blockOf(body: Node | null | undefined): Definition[] {
    return Array.isArray(body?.body) ? this.statements(body.body) : []
  }

  #members(members: readonly Node[]): Definition[] {
    return members.flatMap((member) => {
      const { type, key, value } = member
      const isMethod = type.endsWith('MethodDefinition') || (type === 'PropertyDefinition' && isFunction(value))
      return isMethod ? [this.#define('method', nameOf(key), member, value ? this.#inner(value) : [])] : []
    })
  }

  #properties(properties: readonly Node[]): Definition[] {
    return properties.flatMap((property) =>
      property.type === 'Property' && isFunction(property.value)
        ? [this.#define('method', nameOf(property.key), property, this.#inner(property.value))]
        : [],
    )
  }

  #define(type: string, name: string, { start, end }: Node, children: Definition[] = []): Definition {
    return { type, name, start: this.#line(start), end: this.#line(Math.max(start, end - 1)), children }
  }

  #lines({ start, end }: Node): number {
    return this.#line(end) - this.#line(start) + 1
  }

  #line(offset: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}

const isFunction = (node: Node | null | undefined): boolean =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'

function isBodiless(node: Node, among: readonly Node[]): boolean {
  const at = among.indexOf(node)
  const before = at > 0 ? (among[at - 1]!.declaration ?? among[at - 1]!) : null
  return before?.type === 'TSDeclareFunction'
}

function nameOf(node: Node | null | undefined): string {
  if (!node) return ''
  if (node.type === 'MemberExpression') return `${nameOf(node.object)}.${nameOf(node.property)}`
  if (node.type === 'ThisExpression') return 'this'
  return String(node.name ?? node.value ?? '')
}
