// Functions must use all fields of a parameter whose type is named World or Parts and has more than eight fields. The
// exceptions are counted here.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const FOLDERS = ['services', 'controller', 'platform', 'api', 'daemon']
const MOST_MEMBERS = 8

/** Exceptions per file: functions that build a service, and constructors of classes that implement a face. */
const BUILDERS: Record<string, number> = {
  'controller/index.ts': 2,
  'platform/service/host.ts': 1,
  'platform/service/service-server.ts': 1,
  'services/ask/service.ts': 1,
  'services/code-index/service.ts': 1,
  'services/communicate/service.ts': 1,
  'services/conductor/service.ts': 1,
  'services/docstore/service.ts': 4,
  'services/gateway/service.ts': 1,
  'services/monitor/service.ts': 1,
  'services/notify/service.ts': 1,
  'services/orchestrator/open.ts': 3,
  'services/wrap/service.ts': 1,
}
const FACES: Record<string, number> = {
  'services/ask/service.ts': 1,
  'services/code-index/service.ts': 1,
  'services/communicate/service.ts': 1,
  'services/conductor/service.ts': 1,
  'services/docstore/service.ts': 1,
  'services/gateway/service.ts': 1,
  'services/monitor/service.ts': 1,
  'services/notify/service.ts': 1,
  'services/wrap/service.ts': 1,
}

type Node = { type: string; [member: string]: any }

interface File {
  path: string
  /** Interfaces and type aliases by name. */
  types: Map<string, Node>
  /** By local name. */
  imports: Map<string, { from: string; name: string }>
  program: Node
}

interface Finding {
  file: string
  name: string
  isFace: boolean
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield each
}

function* within(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* within(child)
}

function fileOf(path: string, text: string): File {
  const program: Node = parseSync(path, text).program
  const types = new Map<string, Node>()
  const imports = new Map<string, { from: string; name: string }>()
  for (const statement of program.body as Node[]) {
    const declared: Node = statement.declaration ?? statement
    if (/^TS(Interface|TypeAlias)Declaration$/.test(declared.type)) types.set(declared.id.name, declared)
    if (statement.type !== 'ImportDeclaration' || !statement.source.value.startsWith('.')) continue
    const from = join(dirname(path), statement.source.value)
    for (const { local, imported } of statement.specifiers as Node[])
      if (imported) imports.set(local.name, { from, name: imported.name })
  }
  return { path, types, imports, program }
}

class Types {
  readonly #files: ReadonlyMap<string, File>

  constructor(files: ReadonlyMap<string, File>) {
    this.#files = files
  }

  /** Returns null if the rule does not apply to the type. */
  wideMembers(file: File, type: Node): Set<string> | null {
    const members = this.#members(file, type)
    return members.size > MOST_MEMBERS && this.#isNamed(file, type) ? members : null
  }

  #members(file: File, type: Node | undefined): Set<string> {
    switch (type?.type) {
      case 'TSParenthesizedType':
        return this.#members(file, type.typeAnnotation)
      case 'TSIntersectionType':
      case 'TSUnionType':
        return new Set((type.types as Node[]).flatMap((each) => [...this.#members(file, each)]))
      case 'TSTypeLiteral':
        return new Set(ownMembers(type.members))
      case 'TSTypeReference':
        return this.#referenced(file, type.typeName.name, type.typeArguments?.params ?? [])
      default:
        return new Set()
    }
  }

  #referenced(file: File, name: string, given: Node[]): Set<string> {
    if (['Partial', 'Readonly', 'Required'].includes(name)) return this.#members(file, given[0])
    if (name === 'Pick') return new Set(literalsOf(given[1]))
    if (name === 'Omit') {
      const left = literalsOf(given[1])
      return new Set([...this.#members(file, given[0])].filter((member) => !left.includes(member)))
    }
    const found = this.#declared(file, name)
    if (!found) return new Set()
    const { home, declaration } = found
    if (declaration.type === 'TSTypeAliasDeclaration') return this.#members(home, declaration.typeAnnotation)
    const inherited = (declaration.extends as Node[]).flatMap(({ expression, typeArguments }) => [
      ...this.#referenced(home, expression.name, typeArguments?.params ?? []),
    ])
    return new Set([...inherited, ...ownMembers(declaration.body.body)])
  }

  #declared(file: File, name: string): { home: File; declaration: Node } | null {
    const declaration = file.types.get(name)
    if (declaration) return { home: file, declaration }
    const imported = file.imports.get(name)
    const home = imported && this.#files.get(imported.from)
    return home ? this.#declared(home, imported.name) : null
  }

  #isNamed(file: File, type: Node): boolean {
    for (const { type: kind, typeName } of within(type)) {
      if (kind !== 'TSTypeReference' || !typeName.name) continue
      if (/(World|Parts)$/.test(typeName.name)) return true
      const found = this.#declared(file, typeName.name)
      const alias = found?.declaration.type === 'TSTypeAliasDeclaration' ? found.declaration.typeAnnotation : null
      if (found && alias && alias !== type && this.#isNamed(found.home, alias)) return true
    }
    return false
  }
}

const ownMembers = (members: Node[]): string[] => members.flatMap(({ key }) => key?.name ?? key?.value ?? [])
const literalsOf = (type: Node | undefined): string[] =>
  type ? [...within(type)].flatMap(({ type: kind, value }) => (kind === 'Literal' ? [String(value)] : [])) : []

/** Fields that `scope` reads from the value `name`, or from the private field that stores it. */
function usedMembers(scope: Node, name: string): Set<string> {
  const fields = new Set<string>()
  for (const { type, left, right } of within(scope))
    if (type === 'AssignmentExpression' && left.object?.type === 'ThisExpression' && right.name === name)
      fields.add(left.property.name)
  const isIt = (node: Node | null): boolean =>
    node?.type === 'MemberExpression'
      ? node.object.type === 'ThisExpression' && fields.has(node.property.name)
      : node?.type === 'Identifier' && node.name === name
  const used = new Set<string>()
  for (const node of within(scope)) {
    if (node.type === 'MemberExpression' && isIt(node.object)) used.add(node.property.name)
    if (node.type === 'VariableDeclarator' && isIt(node.init) && node.id.type === 'ObjectPattern')
      for (const member of destructured(node.id)) used.add(member)
  }
  return used
}

const destructured = (pattern: Node): string[] => (pattern.properties as Node[]).flatMap(({ key }) => key?.name ?? [])

function findingsIn(file: File, types: Types): Finding[] {
  const findings: Finding[] = []
  const methods = new Set<Node>()
  /** `scope`: the code that uses the parameters. */
  const check = (name: string, { params }: Node, scope: Node, isFace: boolean) => {
    for (const param of params as Node[]) {
      const bound: Node = param.parameter ?? (param.type === 'AssignmentPattern' ? param.left : param)
      const annotation: Node | undefined = bound.typeAnnotation?.typeAnnotation
      const wide = annotation ? types.wideMembers(file, annotation) : null
      if (!wide) continue
      const used = bound.type === 'ObjectPattern' ? destructured(bound) : [...usedMembers(scope, bound.name)]
      if (used.filter((member) => wide.has(member)).length < wide.size) findings.push({ file: file.path, name, isFace })
    }
  }
  for (const node of within(file.program)) {
    if (node.type === 'ClassDeclaration')
      for (const { type, key, value } of node.body.body as Node[]) {
        if (type !== 'MethodDefinition') continue
        methods.add(value)
        const isConstructor = key.name === 'constructor'
        const scope = isConstructor ? node.body : value
        check(`${node.id.name}.${key.name}`, value, scope, isConstructor && implementsFace(file, node))
      }
    else if (node.params && node.body && !methods.has(node)) check(node.id?.name ?? 'a function', node, node, false)
  }
  return findings
}

function implementsFace(file: File, owner: Node): boolean {
  const promised = (owner.implements ?? []) as Node[]
  return promised.some(({ expression }) => basename(file.imports.get(expression.name)?.from ?? '') === 'face.ts')
}

function findingsOf(sources: ReadonlyMap<string, string>): Finding[] {
  const files = new Map([...sources].map(([path, text]) => [path, fileOf(path, text)]))
  const types = new Types(files)
  return [...files.values()].flatMap((file) => findingsIn(file, types))
}

function sourcesOf(folder: string): [string, string][] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => join(folder, path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')])
}

const counted = (findings: readonly Finding[]) => {
  const counts: Record<string, number> = {}
  for (const { file } of findings) counts[file] = (counts[file] ?? 0) + 1
  return counts
}

const findings = findingsOf(new Map(FOLDERS.flatMap(sourcesOf)))

test('passes only used fields to constructors of faces, except where listed', () => {
  expect(counted(findings.filter(({ isFace }) => isFace))).toEqual(FACES)
})

test('passes only used fields to other functions, except where listed', () => {
  expect(counted(findings.filter(({ isFace }) => !isFace))).toEqual(BUILDERS)
})

test('finds fields of extended, imported, picked and intersected types', () => {
  const wide = 'export interface Base { a: 1; b: 1; c: 1; d: 1 }'
  const world =
    "import type { Base } from './base.ts'\nexport interface RoomWorld extends Base { e: 1; f: 1; g(): 1; h: 1; i: 1 }"
  const used = (text: string) => {
    const header = "import type { RoomWorld } from './world.ts'\nimport type { Face } from './face.ts'\n"
    const sources = [['base.ts', wide] as const, ['world.ts', world] as const, ['used.ts', header + text] as const]
    return findingsOf(new Map(sources)).map(({ name, isFace }) => (isFace ? `${name}, a face` : name))
  }
  expect(used('function few(world: RoomWorld) { return world.a }')).toEqual(['few'])
  expect(used('function few({ a, b }: RoomWorld) { return a + b }')).toEqual(['few'])
  expect(used('const few = (world: RoomWorld | null = null) => world')).toEqual(['a function'])
  expect(used("function eight(world: Omit<RoomWorld, 'a'>) { return world.b }")).toEqual([])
  expect(used('type More = RoomWorld & { j: 1 }\nfunction few(world: More) { return world.j }')).toEqual(['few'])
  expect(
    used('class Own { #w\nconstructor(world: RoomWorld) { this.#w = world }\nget a() { return this.#w.a } }'),
  ).toEqual(['Own.constructor'])
  expect(used('class Own implements Face { constructor(world: RoomWorld) { world.a } }')).toEqual([
    'Own.constructor, a face',
  ])
  const all = 'const { a, b, c } = this.#w; return [a, b, c, this.#w.d, this.#w.e, this.#w.f, this.#w.g(), this.#w.h]'
  const whole = (left: string) =>
    `class Own { #w\nconstructor(world: RoomWorld) { this.#w = world; ${left} }\nget all() { ${all} } }`
  expect(used(whole(''))).toEqual(['Own.constructor'])
  expect(used(whole('world.i'))).toEqual([])
})
