import { isDeepStrictEqual } from 'node:util'
import { unprocessable, type Problem } from '../../platform/core/problem.ts'
import type { KindDefinition, Path } from '../../schemas/kind.ts'
import { topMember, type PathStep } from '../../schemas/members/member-path.ts'
import { MASK, Secret } from '../../schemas/secret.ts'
import { findKind } from '../../schemas/kinds.ts'
import { memberSteps } from './yaml/positions.ts'
import { valueAt, withValueAt } from './value-paths.ts'
import { YamlEdit } from './yaml/yaml-edit.ts'
import { parseYaml, type YamlDocument } from './yaml/parse.ts'

export interface AcceptTarget {
  definition: KindDefinition<any>
  name: string
}

type Members = Record<string, unknown>

/**
 * Sets the canonical field at `path` (dotted), or removes it if `value` is undefined. Throws a Problem 422 if the
 * document is missing, the value is a secret, or anything else would change.
 */
export function acceptChange(written: string, target: AcceptTarget, path: string, value: unknown): string {
  const mark = written.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = written.slice(mark.length)
  if (holdsSecret(value)) throw refusal(target, path, 'it is a secret, and secrets are never written to manifests')
  const { documents } = parseYaml(text)
  const index = documents.findIndex((document) => declares(document, target))
  if (index < 0)
    throw unprocessable(`${target.definition.title} ${target.name} is not in this text: name the file that declares it`)
  const { edited, wanted } = change(text, documents[index]!, target, path, value)
  const after = parseYaml(edited).documents
  const isClean =
    after.length === documents.length &&
    after.every(
      (document, at) =>
        document.faults.length === 0 && isDeepStrictEqual(document.value, at === index ? wanted : documents[at]!.value),
    )
  if (isClean) return mark + edited
  const moved = withAnchorMoved(text, documents[index]!, target, path)
  if (moved === null) throw refusal(target, path, 'other fields would change with it')
  return mark + acceptChange(moved, target, path, value)
}

/** Moves the anchor to its first alias, so that the aliases keep the old value. */
function withAnchorMoved(text: string, document: YamlDocument, target: AcceptTarget, path: string): string | null {
  const { path: written, rest } = memberSteps(document.value, path, target.definition)
  const edit = new YamlEdit({ text, from: document.from, to: document.to })
  const map = rest.length > 0 ? null : edit.mapping(written.slice(0, -1))
  return map && edit.withAnchorMoved(map, String(written.at(-1)))
}

function declares({ value, faults }: YamlDocument, { definition, name }: AcceptTarget): boolean {
  const members = value as Members | null | undefined
  return (
    faults.length === 0 &&
    members?.name === name &&
    (members.kind === undefined || findKind(String(members.kind), [definition]) !== undefined)
  )
}

function holdsSecret(value: unknown): boolean {
  if (value instanceof Secret || value === MASK) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsSecret)
}

function refusal({ definition, name }: AcceptTarget, path: string, why: string): Problem {
  return unprocessable(
    `${path} of ${definition.title} ${name} cannot be written to the manifest: ${why}; edit the file by hand`,
  )
}

interface Changed {
  edited: string
  /** Expected result, to verify that nothing else has changed. */
  wanted: Members
}

function change(text: string, document: YamlDocument, target: AcceptTarget, path: string, value: unknown): Changed {
  const edit = new YamlEdit({ text, from: document.from, to: document.to })
  const manifest = document.value as Members
  const { path: written, rest } = memberSteps(manifest, path, target.definition)
  if (target.definition.written?.[topMember(path)] && written.length === 0 && rest.length > 1)
    throw refusal(target, path, 'it is inherited as a whole')
  const other = otherSpelling(target.definition, path, written[0])
  if (other !== null && (written.length > 1 || rest.length > 0))
    throw refusal(target, path, `the manifest uses "${other}" instead`)
  const asItem = changeItem({ edit, manifest, written, rest }, value)
  if (asItem) return asItem
  if (rest[0]?.isElement || (value === undefined && rest.some(({ isElement }) => isElement)))
    throw refusal(target, path, 'its list uses another form')
  const parent = rest.length === 0 ? written.slice(0, -1) : written
  const map = edit.mapping(parent)
  if (!map) throw refusal(target, path, 'it is in a list, behind an alias, or not in a mapping')
  if (rest.length > 0) {
    if (value === undefined) return { edited: text, wanted: manifest }
    const inner = rest
      .slice(1)
      .reduceRight<unknown>((below, { key, isElement }) => (isElement ? [below] : { [key]: below }), value)
    const { key } = rest[0]!
    return { edited: edit.add(map, key, inner), wanted: withValueAt(manifest, [...parent, key], inner) }
  }
  const last = String(written.at(-1))
  if (value === undefined) return { edited: edit.remove(map, last), wanted: withValueAt(manifest, written, undefined) }
  const name = other === null ? last : path
  return {
    edited: edit.replace(map, last, value, name),
    wanted: withValueAt(withValueAt(manifest, written, undefined), [...parent, name], value),
  }
}

interface Place {
  edit: YamlEdit
  manifest: Members
  written: Path
  rest: readonly PathStep[]
}

/** Returns null if the path is not an element of a written list. */
function changeItem({ edit, manifest, written, rest }: Place, value: unknown): Changed | null {
  const [step, ...below] = rest
  const last = written.at(-1)
  const isNew = step?.isElement === true && below.length === 0 && value !== undefined
  const isGone = step === undefined && typeof last === 'number' && value === undefined
  if (!isNew && !isGone) return null
  const at = isNew ? written : written.slice(0, -1)
  const list = edit.list(at)
  if (!list) return null
  const items = valueAt(manifest, at) as unknown[]
  return isNew
    ? { edited: edit.addItem(list, value), wanted: withValueAt(manifest, at, [...items, value]) }
    : {
        edited: edit.removeItem(list, last as number),
        wanted: withValueAt(manifest, at, items.toSpliced(last as number, 1)),
      }
}

/** The written field that replaces the canonical one and has a different form. */
function otherSpelling(
  definition: KindDefinition<any>,
  path: string,
  written: string | number | undefined,
): string | null {
  const canonical = topMember(path)
  const known = (definition.schema as { properties?: Members }).properties ?? {}
  return written === undefined || written === canonical || !Object.hasOwn(known, canonical) ? null : String(written)
}
