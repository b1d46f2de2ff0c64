// Renders a canonical spec as the shortest equivalent manifest. Pure.
import { parse, stringify } from 'yaml'
import type { KindDefinition, ManifestContext, Path } from '../../schemas/kind.ts'
import type { SandboxSpec } from '../../schemas/sandbox/sandbox.ts'
import { valueAt, withValueAt } from './value-paths.ts'

type Members = Record<string, unknown>

export interface ToWrite {
  definition: KindDefinition<any>
  /** Canonical, with strings for secrets. */
  spec: Members
  /** References (kind/name) of the last manifest, kept if the result is the same. */
  named: readonly string[]
  resolve(kind: string, name: string): unknown
  defaultSandbox: SandboxSpec
}

export function minimalManifest({ definition, spec, named, ...answers }: ToWrite): Members {
  const context = contextOf(answers)
  const whole = spelled(spec, definition)
  const wanted = canonicalText(whole, definition, context)
  const faults = new Set(faultsOf(whole, definition, context))
  const isSame = (manifest: Members) =>
    canonicalText(manifest, definition, context) === wanted &&
    faultsOf(manifest, definition, context).every((fault) => faults.has(fault))
  const referring = withReferences(whole, { definition, named, isSame })
  const references = referencesOf(referring, definition)
  const isKept = (manifest: Members) => {
    const kept = new Set(referencesOf(manifest, definition))
    return references.every((reference) => kept.has(reference))
  }
  return inOrder(
    trimmed(referring, (manifest) => isSame(manifest) && isKept(manifest)),
    definition,
  )
}

/** A shared reference is kept: equal values may differ later. */
const referencesOf = (manifest: Members, definition: KindDefinition<any>): string[] =>
  definition.references(manifest).map(({ kind, name }) => `${kind}/${name}`)

/** Exports are self-contained: absolute paths and inline texts. */
function contextOf({ resolve, defaultSandbox }: Pick<ToWrite, 'resolve' | 'defaultSandbox'>): ManifestContext {
  return {
    directory: '/',
    project: '/',
    home: '/',
    defaultSandbox,
    directoryFault: () => null,
    pathFault: () => null,
    worktreeBase: () => 'working-tree',
    readText: () => ({ fault: 'not-sent' }),
    resolve,
    lookUp: resolve,
    placeOf: () => null,
  }
}

const memberNames = ({ schema }: KindDefinition<any>): string[] =>
  Object.keys((schema as { properties?: Members }).properties ?? {})

/** Renames fields to spellings that manifests accept. */
function spelled(spec: Members, definition: KindDefinition<any>): Members {
  const known = new Set(memberNames(definition))
  const { written = {} } = definition
  return Object.fromEntries(
    Object.entries(spec)
      .map(([member, value]) => [member, written[member] ? written[member](value) : value] as const)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([member, value]) => [nameOf(member, definition, known), value]),
  )
}

function nameOf(member: string, { spellings = {} }: KindDefinition<any>, known: ReadonlySet<string>): string {
  return known.has(member) ? member : (spellings[member]?.find((spelling) => known.has(spelling)) ?? member)
}

/** Null if the manifest is invalid. */
function canonicalText(manifest: Members, definition: KindDefinition<any>, context: ManifestContext): string | null {
  try {
    return JSON.stringify(definition.canonicalise(manifest, context))
  } catch {
    return null
  }
}

function faultsOf(manifest: Members, definition: KindDefinition<any>, context: ManifestContext): string[] {
  return definition
    .check(manifest, context)
    .filter(({ severity }) => severity !== 'warning')
    .map(({ code, path }) => `${code} ${path.join('.')}`)
}

interface Referring {
  definition: KindDefinition<any>
  named: readonly string[]
  isSame(manifest: Members): boolean
}

/** Replaces a field by a reference to a resource with the same value. */
function withReferences(manifest: Members, { definition, named, isSame }: Referring): Members {
  let shortest = manifest
  for (const [member, spellings] of Object.entries(definition.spellings ?? {})) {
    for (const spelling of spellings) {
      if (spelling in shortest) continue
      const { [member]: _, ...others } = shortest
      for (const id of named) {
        const candidate = { ...others, [spelling]: id.slice(id.indexOf('/') + 1) }
        const refers = definition
          .references(candidate)
          .some(({ kind, name, path }) => `${kind}/${name}` === id && path.length === 1 && path[0] === spelling)
        if (refers && isSame(candidate)) shortest = candidate
      }
    }
  }
  return shortest
}

/** Removes defaults at any depth and shortens list elements. */
function trimmed(whole: Members, isSame: (manifest: Members) => boolean): Members {
  let manifest = whole
  const attempt = (candidate: Members): boolean => {
    if (!isSame(candidate)) return false
    manifest = candidate
    return true
  }
  const shorten = (path: Path): void => {
    const value = valueAt(manifest, path)
    if (Array.isArray(value)) for (const index of value.keys()) shortenElement([...path, index])
    else if (isMembers(value))
      for (const name of Object.keys(value))
        if (!attempt(withValueAt(manifest, [...path, name], undefined))) shorten([...path, name])
  }
  const shortenElement = (path: Path): void => {
    shorten(path)
    const element = valueAt(manifest, path)
    const [only, ...others] = isMembers(element) ? Object.values(element) : []
    if (typeof only === 'string' && others.length === 0) attempt(withValueAt(manifest, path, only))
  }
  shorten([])
  return manifest
}

function inOrder(manifest: Members, definition: KindDefinition<any>): Members {
  const order = ['name', ...memberNames(definition)]
  return Object.fromEntries(
    Object.entries(manifest).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)),
  )
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Ends with a newline; multi-line texts become YAML blocks if possible. */
export function manifestText(manifest: object): string {
  const text = stringify(manifest, LAYOUT)
  return readsAs(text, manifest) ? text : stringify(manifest, { ...LAYOUT, defaultStringType: 'QUOTE_DOUBLE' })
}

const LAYOUT = { lineWidth: 0, aliasDuplicateObjects: false } as const

function readsAs(text: string, manifest: object): boolean {
  try {
    return JSON.stringify(parse(text)) === JSON.stringify(manifest)
  } catch {
    return false
  }
}
