import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Node, Parser } from 'web-tree-sitter'
import type { Definition } from './chunk.ts'

interface Grammar {
  file: string
  /** Node types that are definitions, with their chunk type. */
  defines: Readonly<Record<string, string>>
  /** Node types that only contain definitions. */
  holds: ReadonlySet<string>
}

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  python: {
    file: 'tree-sitter-python',
    defines: { function_definition: 'function', class_definition: 'class' },
    holds: new Set([
      'block',
      'if_statement',
      'else_clause',
      'elif_clause',
      'try_statement',
      'except_clause',
      'with_statement',
    ]),
  },
  rust: {
    file: 'tree-sitter-rust',
    defines: {
      function_item: 'function',
      function_signature_item: 'function',
      struct_item: 'struct',
      enum_item: 'enum',
      union_item: 'union',
      trait_item: 'trait',
      impl_item: 'impl',
      mod_item: 'module',
      macro_definition: 'macro',
      type_item: 'type',
    },
    holds: new Set(['declaration_list', 'foreign_mod_item']),
  },
  go: {
    file: 'tree-sitter-go',
    defines: { function_declaration: 'function', method_declaration: 'method', type_declaration: 'type' },
    holds: new Set(),
  },
  java: {
    file: 'tree-sitter-java',
    defines: {
      class_declaration: 'class',
      interface_declaration: 'interface',
      enum_declaration: 'enum',
      record_declaration: 'class',
      method_declaration: 'method',
      constructor_declaration: 'method',
    },
    holds: new Set(['class_body', 'interface_body', 'enum_body', 'enum_body_declarations']),
  },
}

/** Functions nested in functions of this length become separate chunks. */
const LONG_LINES = 120

export class TreeParsers {
  readonly #parsers = new Map<string, Promise<Parser | null>>()

  /** Null without a grammar, or if parsing fails. */
  async definitions(language: string, text: string): Promise<Definition[] | null> {
    const grammar = GRAMMARS[language]
    if (!grammar) return null
    const made = this.#parsers.get(language) ?? load(grammar.file)
    this.#parsers.set(language, made)
    const parser = await made
    const tree = parser?.parse(text) ?? null
    if (!tree) return null
    try {
      return within(tree.rootNode, grammar)
    } finally {
      // Trees are in WebAssembly memory, which is not garbage-collected.
      tree.delete()
    }
  }
}

/** Null if the parser or grammar is not installed. */
async function load(file: string): Promise<Parser | null> {
  try {
    const { Parser, Language } = await import('web-tree-sitter')
    const near = createRequire(import.meta.url)
    await Parser.init({ locateFile: (name: string) => join(dirname(near.resolve('web-tree-sitter')), name) })
    const folder = join(dirname(near.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm')
    const parser = new Parser()
    parser.setLanguage(await Language.load(join(folder, `${file}.wasm`)))
    return parser
  } catch {
    return null
  }
}

function within(node: Node, grammar: Grammar): Definition[] {
  const found: Definition[] = []
  for (const child of node.namedChildren) {
    if (!child) continue
    // Decorators belong to the chunk.
    const inner = child.type === 'decorated_definition' ? child.childForFieldName('definition') : child
    const type = inner && grammar.defines[inner.type]
    if (inner && type) found.push(definitionOf(child, inner, type, grammar))
    else if (grammar.holds.has(child.type)) found.push(...within(child, grammar))
  }
  return found
}

function definitionOf(outer: Node, node: Node, type: string, grammar: Grammar): Definition {
  const [start, end] = [outer.startPosition.row, outer.endPosition.row]
  const body = node.childForFieldName('body')
  const isFunction = type === 'function' || type === 'method'
  const children = body && (!isFunction || end - start >= LONG_LINES) ? within(body, grammar) : []
  const ends = outer.endPosition.column === 0 && end > start ? end - 1 : end
  return { type, name: nameOf(node), start, end: ends, children: isFunction ? children : asMethods(children) }
}

const asMethods = (children: Definition[]): Definition[] =>
  children.map((child) => (child.type === 'function' ? { ...child, type: 'method' } : child))

function nameOf(node: Node): string {
  const named = node.childForFieldName('name')?.text
  if (named !== undefined) return named
  // An `impl` block, with or without a trait; or a declaration that wraps its name.
  const [type, trait] = [node.childForFieldName('type')?.text, node.childForFieldName('trait')?.text]
  if (type !== undefined) return trait === undefined ? type : `${trait} for ${type}`
  return node.namedChildren[0]?.childForFieldName('name')?.text ?? ''
}
