// Proposes the smallest manifest change that accepts drift; writes nothing.
import { isAbsolute, join } from 'node:path'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { ClosedSet, type Places } from '../../../platform/files/closed-set.ts'
import { readOpenText } from '../../../platform/files/open-file.ts'
import { conflict, Problem, unprocessable } from '../../../platform/core/problem.ts'
import { mapSecrets, type Vault } from '../../../platform/secrets/vault.ts'
import type { Acceptance } from '../../../schemas/resource.ts'
import type { KindDefinition } from '../../../schemas/kind.ts'
import { pathOf, stepsOf, topMember } from '../../../schemas/members/member-path.ts'
import { MASK } from '../../../schemas/secret.ts'
import { memberAt } from '../../planning/diff.ts'
import { driftOf, sidesOf } from '../../planning/drift.ts'
import { display } from '../../planning/masking.ts'
import type { Owned } from '../../planning/ownership.ts'
import { acceptChange, type AcceptTarget } from '../../reading/manifest-edit.ts'
import { idOf } from '../../reading/graph.ts'
import { refuseUnreadable, type SourceState } from '../sources/source-state.ts'
import type { Sources } from '../sources/sources.ts'
import type { LiveSystem } from '../../watching/live-system.ts'

interface Parts {
  live: LiveSystem
  sources: Sources
  vault: Vault
  config: Places
}

/** Throws 409 if nothing drifted, 422 if no manifest can express it or the file cannot be read. */
export async function acceptDrift(owned: Owned, parts: Parts): Promise<Acceptance> {
  const { live, sources, vault, config } = parts
  const { kind, name, file } = owned
  const { definition } = live.reconcilerOf(kind)
  const observed = await live.observe(owned)
  const sides = sidesOf(owned, observed, { vault, definition })
  const drift = driftOf(sides, sources.rulesOf(owned).ignore)
  if (drift.length === 0) throw conflict(`${idOf(owned)} has not drifted: there is nothing to accept`)
  const beyond = drift.find(({ path, isState }) => path === '' || isState)
  if (beyond)
    throw unprocessable(
      beyond.path === ''
        ? `${idOf(owned)} was deleted, which a manifest cannot express: delete its manifest (${file}:${owned.line}), or restore it with svc drift revert ${idOf(owned)}`
        : `${beyond.path} of ${idOf(owned)} is not a field of a manifest: revert it with svc drift revert ${idOf(owned)}`,
    )
  const source = sources.get(owned.source)
  const { text: before, origin } = await manifestOf(owned, source, new ClosedSet(config))
  const target = { definition, name }
  const taken: Taken = { text: before, changes: [] }
  for (const { path } of drift) take(path, taken, { target, live: sides.live!.value })
  const { text: after, changes } = taken
  const patch = patchOf({ file, origin }, before, after)
  const diff = withoutSecrets(patch, owned.desired)
  const place = { source: source.name, location: source.location, file, origin }
  return { kind, name, ...place, changes, diff, redacted: diff !== patch }
}

type Manifest = Pick<Acceptance, 'origin'> & { text: string }

async function manifestOf(owned: Owned, source: SourceState, closed: ClosedSet): Promise<Manifest> {
  const { file } = owned
  const remote = source.reader?.remote
  if (!remote) return { text: textOf(owned, source, closed), origin: null }
  const revision = source.revision ?? owned.revision ?? ''
  const { url, path, text } = await remote.readManifest(revision, file).catch(refuseUnreadable)
  return { text, origin: { url, revision, file: path } }
}

/** `git apply` needs lines of context. */
function patchOf({ file, origin }: Pick<Acceptance, 'file' | 'origin'>, before: string, after: string): string {
  const [from, to] = origin ? [`a/${origin.file}`, `b/${origin.file}`] : [file, file]
  const how = { context: origin ? 3 : 0, headerOptions: FILE_HEADERS_ONLY }
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, how)
}

interface Taken {
  text: string
  changes: Acceptance['changes']
}

/**
 * Falls back from the field to the enclosing list, then to its parent. Throws the refusal of the smallest change if all
 * fail.
 */
function take(path: string, taken: Taken, { target, live }: { target: AcceptTarget; live: unknown }): void {
  let refused: unknown = null
  for (const place of placesOf(path, target.definition)) {
    const value = valueOf(place, live, target.definition)
    try {
      taken.text = acceptChange(taken.text, target, place, value ?? undefined)
      taken.changes = [...taken.changes.filter((change) => change.path !== place), { path: place, value }]
      return
    } catch (error) {
      refused ??= error
    }
  }
  throw refused
}

/** A member with another form in manifests is taken by element or as a whole. */
function placesOf(path: string, { written = {} }: KindDefinition): string[] {
  const top = topMember(path)
  if (!written[top]) return [path, ...wholesAround(path)]
  const steps = stepsOf(path)
  return steps.at(-1)!.isElement ? [path, pathOf(steps.slice(0, -1)), top] : [top]
}

function valueOf(place: string, live: unknown, definition: KindDefinition): unknown {
  const value = display(memberAt(live, place, definition))
  const written = definition.written?.[place]
  return written ? written(value) : value
}

function wholesAround(path: string): string[] {
  const steps = stepsOf(path)
  const list = steps.findIndex(({ isElement }) => isElement)
  return list < 0 ? [] : [pathOf(steps.slice(0, list)), ...(list > 1 ? [pathOf(steps.slice(0, list - 1))] : [])]
}

function textOf(owned: Owned, { name, reader, location, orphaned }: SourceState, closed: ClosedSet): string {
  const revert = `svc drift revert ${idOf(owned)}`
  if (!isAbsolute(location))
    throw unprocessable(
      `source ${name} is no longer read, and its manifests are in ${location}: hand its resources over with svc sources adopt ${name} --into SOURCE, and accept the drift there, or revert it with ${revert}`,
    )
  const path = join(location, owned.file)
  try {
    return readOpenText(path, closed)
  } catch (error) {
    if (error instanceof Problem) throw error
    const { code } = error as NodeJS.ErrnoException
    const next =
      reader || orphaned
        ? 'restore the file, or edit the manifest at its source'
        : `it was sent by a command or a request: change it where it was sent from and apply it again, or revert the drift with ${revert}`
    throw unprocessable(`the manifest cannot be read (${path}: ${code}): ${next}`)
  }
}

/** A changed line may also contain a secret. */
function withoutSecrets(text: string, spec: unknown): string {
  let masked = text
  mapSecrets(spec, (secret) => {
    const value = secret.reveal()
    if (value !== '') masked = masked.replaceAll(value, MASK)
    return secret
  })
  return masked
}
