// Exports live resources as minimal manifests and verifies them by reading them back.
import { inPieces, type Pieces } from '../../../platform/async/time-slices.ts'
import { Problem, unavailable } from '../../../platform/core/problem.ts'
import type { Exported } from '../../../schemas/manifest/export.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { builtInSpec } from '../../../schemas/kind.ts'
import type { SandboxSpec } from '../../../schemas/sandbox/sandbox.ts'
import { sameSpec } from '../../planning/masking.ts'
import type { DesiredResource, KnownKinds, ReadContext } from '../../reading/desired-state.ts'
import { manifestText, minimalManifest } from '../../reading/manifest-export.ts'
import { idOf } from '../../reading/graph.ts'
import { readManifestsInPieces } from '../../reading/manifest.ts'
import type { Lookup } from '../../reconciler.ts'
import type { Inventory } from '../inventory.ts'
import { nameResources, type LiveResource, type Warning } from './live-names.ts'
import { Variables } from './secret-variables.ts'
import type { LiveSystem } from '../../watching/live-system.ts'

interface Parts {
  live: LiveSystem
  inventory: Inventory
  defaultSandbox: SandboxSpec
}

/** `kind`: wire name; default all. Throws 503 if a kind cannot be observed; warns about disabled kinds. */
export async function exportManifests(kind: string | undefined, parts: Parts): Promise<Exported> {
  const { resources, warnings } = await observeNamed(parts)
  const wanted = resources.filter((resource) => kind === undefined || resource.definition.kind === kind)
  const asked = warnings.filter((warning) => kind === undefined || warning.kind === kind)
  return inPieces(write(wanted, { resources, warnings: asked, parts }))
}

/** Unowned resources get a name too, so that others can refer to them. */
async function observeNamed(parts: Parts): Promise<{ resources: LiveResource[]; warnings: Warning[] }> {
  const { lookup } = parts.live
  const first = await look(parts.live, lookup)
  const found = nameResources(first.live, parts.inventory)
  if (found.unowned.size === 0) return { ...found, warnings: [...first.missed, ...found.warnings] }
  const again = await look(parts.live, {
    liveId: (kind, name) => lookup.liveId(kind, name) ?? found.idOf(kind, name),
    nameOf: (kind, liveId) => lookup.nameOf(kind, liveId) ?? found.unowned.get(`${kind}/${liveId}`) ?? null,
  })
  const all = nameResources(again.live, parts.inventory)
  return { ...all, warnings: [...again.missed, ...all.warnings] }
}

async function look({ reconcilers, signal }: LiveSystem, lookup: Lookup) {
  const missed: Warning[] = []
  const kinds = reconcilers.map(async (reconciler) => {
    const { definition } = reconciler
    const { kind } = definition
    const all = await reconciler
      .observeAll(lookup, signal, ({ name }, { message }) => missed.push({ kind, name, message }))
      .catch((error: Error) => {
        // Disabled: a retry would not help.
        const { cause } = error
        if (cause instanceof Problem && cause.status === 501) {
          missed.push({ kind, name: '*', message: `are left out: ${cause.message}` })
          return []
        }
        throw unavailable(
          `${kind} cannot be exported, because observing them failed: ${error.message}`,
          undefined,
          error,
        )
      })
    return all.map((one) => ({ definition, observed: one }))
  })
  return { live: (await Promise.all(kinds)).flat(), missed }
}

interface Writing {
  resources: readonly LiveResource[]
  warnings: readonly Warning[]
  parts: Parts
}

function* write(wanted: readonly LiveResource[], { resources, warnings, parts }: Writing): Pieces<Exported> {
  const { inventory, live, defaultSandbox } = parts
  const byId = new Map(resources.map((resource) => [idOfLive(resource), resource]))
  const variables = new Variables()
  const resolve = (kind: string, name: string) =>
    byId.get(`${kind}/${name}`)?.spec ?? inventory.get(kind, name)?.desired ?? builtInSpec(live.definitions, kind, name)
  const files: { path: string; content: string; resource: LiveResource }[] = []
  for (const resource of wanted) {
    yield
    const { definition, name, owned } = resource
    const plain = variables.replaceSecrets(definition, name, resource.spec)
    const manifest = minimalManifest({
      definition,
      spec: plain.spec,
      named: owned?.dependsOn ?? [],
      resolve,
      defaultSandbox,
    })
    const content = comment(plain.used) + manifestText({ ...manifest, ...ownRules(resource, manifest) })
    files.push({ path: `${definition.kind}/${name}.yml`, content, resource })
  }
  const exists = (kind: string, name: string) => byId.has(`${kind}/${name}`) || inventory.get(kind, name) !== undefined
  const context = { exists, resolve, variable: (name: string) => variables.value(name), defaultSandbox }
  const left = yield* readBack(files, context, live.definitions)
  const kept = files.filter(({ resource }) => !left.has(idOfLive(resource)))
  return {
    manifests: kept.map(({ path, content }) => ({ path, content })),
    variables: variables.usedBy(kept.map(({ resource }) => resource)),
    warnings: [...warnings, ...left.values()],
  }
}

const idOfLive = ({ definition, name }: LiveResource): string => `${definition.kind}/${name}`

const comment = (variables: readonly string[]): string =>
  variables.length === 0 ? '' : `# Secrets are not exported: set ${variables.join(', ')} where svc runs.\n`

function ownRules({ definition, owned }: LiveResource, manifest: object): object {
  if (!owned) return {}
  const references = new Set(definition.references(manifest).map(idOf))
  const others = owned.dependsOn.filter((id) => !references.has(id))
  return {
    ...(Object.keys(owned.sync).length > 0 ? { sync: owned.sync } : {}),
    ...(others.length > 0 ? { depends_on: others } : {}),
  }
}

/** Returns a warning for each manifest that is invalid or differs. */
function* readBack(
  files: readonly { path: string; content: string; resource: LiveResource }[],
  context: ReadContext,
  kinds: KnownKinds['kinds'],
): Pieces<Map<string, Warning>> {
  const { resources, diagnostics } = yield* readManifestsInPieces(files, {
    root: '/',
    tree: null,
    home: '/',
    kinds,
    overlay: { text: () => ({ fault: 'not-sent' }), isDirectory: () => true, worktreeBase: () => 'working-tree' },
    context,
  })
  const read = new Map(resources.map((resource) => [idOf(resource), resource]))
  const faults = new Map(diagnostics.filter(({ severity }) => severity === 'error').map((each) => [each.file, each]))
  const left = new Map<string, Warning>()
  for (const { path, resource } of files) {
    yield
    const why = exclusionReason(resource, read.get(idOfLive(resource)), faults.get(path))
    const { definition, name } = resource
    if (why !== null) left.set(idOfLive(resource), { kind: definition.kind, name, message: `is left out: ${why}` })
  }
  return left
}

function exclusionReason(
  live: LiveResource,
  read: DesiredResource | undefined,
  fault: Diagnostic | undefined,
): string | null {
  if (fault) return fault.message
  if (!read) return 'a resource that it refers to is left out'
  return sameSpec(read.spec, live.spec) ? null : 'no manifest can express it completely'
}
