// Plans without a daemon: against recorded state, an earlier commit, or nothing.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { atOnce } from '../platform/async/time-slices.ts'
import { systemClock, timestamp } from '../platform/core/clock.ts'
import { checkMigrations } from '../platform/database/compatibility.ts'
import { migrate, openDatabase, type Knex } from '../platform/database/database.ts'
import { isGitAddress } from '../platform/git/address.ts'
import { noLog } from '../platform/core/log/log.ts'
import { invalid, Problem, unprocessable } from '../platform/core/problem.ts'
import { Vault } from '../platform/secrets/vault.ts'
import type { KindDefinition } from '../schemas/kind.ts'
import type { Plan } from '../schemas/plan.ts'
import type { SandboxSpec } from '../schemas/sandbox/sandbox.ts'
import type { SourceSync } from '../schemas/source.ts'
import { NO_INTENTS } from './planning/intents.ts'
import { makePreview, type PassOptions } from './planning/preview.ts'
import { newEntry, type Owned } from './planning/ownership.ts'
import type { DesiredResource, DesiredState } from './reading/desired-state.ts'
import { DirectorySource } from './reading/folder/directory-source.ts'
import { Inventory, lookupIn } from './running/inventory.ts'
import { readFolderAtRevision } from './reading/git/revision-folder.ts'
import { readManifests } from './reading/manifest.ts'
import { overlayOf } from './reading/sent-files.ts'
import { controllerMigrations } from './migrations.ts'
import { idOf } from './reading/graph.ts'
import type { Reconciler } from './reconciler.ts'
import { readContext } from './running/sources/desired-states.ts'
import { observeKinds } from './watching/observation.ts'
import { shownFaults, outerSync } from './running/sources/source-state.ts'

export interface OfflineOptions extends Pick<
  PassOptions,
  'targets' | 'prune' | 'pruneOverride' | 'confirm' | 'strict' | 'keepDrift'
> {
  databaseUrl: string
  keyFile: string
  kinds: readonly KindDefinition<any>[]
  home: string
  env: Readonly<Record<string, string | undefined>>
  sent?: { files: { path: string; content: string }[]; root: string; source: string }
  source?: string
  /** Compares with the folder at the merge base of this revision and HEAD. */
  base?: string
  defaultSandbox?: SandboxSpec
  /** Rules of the configuration. */
  sync?: SourceSync | undefined
}

/** `against`: what the plan was compared with. Throws a Problem without recorded state and manifests. */
export async function planOffline(options: OfflineOptions): Promise<{ plan: Plan; against: string }> {
  if (options.base !== undefined) return planAgainst(options, options.base)
  const found = await openRecord(options)
  const record = found ?? (await emptyRecord())
  try {
    const source = options.sent?.source ?? options.source ?? 'default'
    const plan = await planOf(options, await readDesired(options, source, record), source, record)
    const against = found
      ? `the state on record in ${options.databaseUrl.replace(/\/\/[^@/]*@/, '//')}, last written by the daemon`
      : 'nothing: no state is on record'
    return { plan, against }
  } finally {
    await record.db.destroy()
  }
}

/** An unset variable counts as equal on both sides. */
async function planAgainst(options: OfflineOptions, revision: string): Promise<{ plan: Plan; against: string }> {
  const { sent, home, kinds } = options
  if (!sent) throw invalid('a revision is compared with a folder: name a folder')
  const { root, source } = sent
  const env = { ...options.env }
  const before = await readFolderAtRevision(root, revision, { env: options.env, home })
  const record = await emptyRecord()
  try {
    const context = {
      ...readContext(record.inventory, source, env),
      variable: (name: string) => env[name] ?? name,
      defaultSandbox: options.defaultSandbox,
    }
    const state = readManifests(before.manifests, {
      kinds,
      home,
      root,
      context,
      overlay: overlayOf(root, null, before),
    })
    const faults = state.diagnostics.filter(({ severity }) => severity === 'error')
    if (faults.length > 0)
      throw unprocessable(`the manifests of commit ${before.commit} have errors: ${shownFaults(faults)}`)
    await record.inventory.put(state.resources.map((resource) => asOwned(resource, source, before.commit)))
    const desired = readManifests(sent.files, { kinds, home, root, strict: options.strict, context })
    const plan = await planOf({ ...options, prune: options.prune ?? true }, { state: desired, root }, source, record)
    return { plan, against: `commit ${before.commit}, the common ancestor of ${revision} and HEAD` }
  } finally {
    await record.db.destroy()
  }
}

const asOwned = (desired: DesiredResource, source: string, revision: string): Owned => ({
  ...newEntry(desired, source, revision),
  liveId: idOf(desired),
  applied: desired.spec,
})

async function planOf(
  options: OfflineOptions,
  { state, root }: { state: DesiredState; root: string },
  source: string,
  { inventory, vault }: StateOnRecord,
): Promise<Plan> {
  const reconcilers = options.kinds.map((definition) => onRecord(definition, inventory))
  const preview = makePreview({
    id: randomUUID(),
    createdAt: timestamp(systemClock),
    source: { name: source, root, sync: outerSync({ name: source, configured: options.sync }) },
    state,
    inventory,
    intents: NO_INTENTS,
    live: await observeKinds(reconcilers, lookupIn(inventory), new AbortController().signal),
    reconcilers,
    vault,
    options,
  })
  return atOnce(preview).plan
}

interface StateOnRecord {
  db: Knex
  vault: Vault
  inventory: Inventory
}

async function emptyRecord(): Promise<StateOnRecord> {
  const [db, vault] = [openDatabase('sqlite::memory:'), Vault.ephemeral()]
  await migrate(db, controllerMigrations)
  return { db, vault, inventory: await Inventory.load({ db, vault, clock: systemClock }) }
}

async function openRecord({ databaseUrl, keyFile }: OfflineOptions): Promise<StateOnRecord | null> {
  const isFile = databaseUrl.startsWith('sqlite:')
  if (!existsSync(keyFile) || (isFile && !existsSync(databaseUrl.replace(/^sqlite:(\/\/)?/, '')))) return null
  const db = openDatabase(databaseUrl, { readOnly: true })
  try {
    await checkMigrations(db, [controllerMigrations])
    const vault = Vault.open(keyFile)
    if (await db.schema.hasTable('controller_inventory'))
      return { db, vault, inventory: await Inventory.load({ db, vault, clock: systemClock }) }
  } catch (error) {
    await db.destroy()
    throw error
  }
  await db.destroy()
  return null
}

async function readDesired(
  options: OfflineOptions,
  source: string,
  { db, inventory }: StateOnRecord,
): Promise<{ state: DesiredState; root: string }> {
  const { sent, kinds, home, strict } = options
  const context = { ...readContext(inventory, source, options.env), defaultSandbox: options.defaultSandbox }
  const known = { kinds, home }
  if (sent) {
    const { root, files } = sent
    return { root, state: readManifests(files, { ...known, root, strict, context }) }
  }
  const row = await db('controller_sources').where({ name: source }).first()
  if (!row)
    throw new Problem(
      404,
      `source ${source} is not on record: name a folder of manifests, or start the daemon with "svc serve --manifests DIR"`,
    )
  const root: string = row.location
  if (isGitAddress(root))
    throw new Problem(
      409,
      `source ${source} is read from ${root}, which only the daemon can do: start it with "svc serve", or name a checkout (svc plan PATH)`,
    )
  return { root, state: await new DirectorySource({ ...known, root, strict, log: noLog }).read(context) }
}

/** Takes the last applied state as live, the best knowledge without a daemon. */
function onRecord(definition: KindDefinition<any>, inventory: Inventory): Reconciler {
  const refuse = () => Promise.reject(new Error('an offline plan changes nothing'))
  const recorded = () =>
    [...inventory.all()]
      .filter((owned) => owned.kind === definition.kind && owned.applied !== null)
      .map((owned) => ({ liveId: owned.liveId ?? idOf(owned), spec: owned.applied, live: owned }))
  return {
    definition,
    observe: async ({ name }) => recorded().find((observed) => observed.spec.name === name) ?? null,
    observeAll: async () => recorded(),
    apply: refuse,
    remove: refuse,
    health: () => ({ status: 'Progressing', message: 'not observed' }),
    interrupts: () => null,
    writer: async () => null,
    changes: () => () => undefined,
  }
}
