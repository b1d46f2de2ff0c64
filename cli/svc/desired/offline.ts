// Plans without a daemon, against the recorded state (read-only).
import { typed } from '../../command-line.ts'
import { kinds } from '../../../schemas/kinds.ts'
import type { Plan, PlanInput } from '../../../schemas/plan.ts'
import { Failure } from '../../failure.ts'
import { readManifestSet } from '../../manifests/files.ts'
import { config } from '../../settings.ts'

export interface OfflineRequest extends Pick<
  PlanInput,
  'targets' | 'prune' | 'prune_override' | 'confirm' | 'strict' | 'keep_drift'
> {
  /** Folder or file instead of a source. */
  path?: string
  /** Recorded source; default `default`. */
  source?: string
  /** Revision to compare with instead of the recorded state. */
  base?: string
  /** Config file with rules of sources; default: that of the daemon, if it exists. */
  configFile?: string
}

export interface OfflinePlan {
  plan: Plan
  /** Description of the state it was planned against. */
  against: string
}

/** On failure throws `refused`, the connection error, if given. */
export async function planWithoutDaemon(request: OfflineRequest, refused?: Failure): Promise<OfflinePlan> {
  const { databaseUrl, keyFile, home, env } = config()
  const set = request.path === undefined ? null : await readManifestSet(request.path)
  const [{ planOffline }, { configuredSandbox, configuredSync }] = await Promise.all([
    import('../../../controller/offline.ts'),
    import('../../../controller/reading/rules/config-file.ts'),
  ])
  const source = request.source ?? set?.source ?? 'default'
  const [file, place] = [{ configFile: request.configFile }, { home, env }]
  return planOffline({
    ...(request.base === undefined ? {} : { base: request.base }),
    sync: configuredSync(source, file, place),
    defaultSandbox: configuredSandbox(file, place),
    databaseUrl,
    keyFile,
    kinds,
    home,
    env: set ? { ...env, ...set.variables } : env,
    sent: set ? { files: set.manifests, root: set.root, source: request.source ?? set.source } : undefined,
    source: request.source,
    targets: request.targets,
    prune: request.prune,
    pruneOverride: request.prune_override,
    confirm: request.confirm,
    keepDrift: request.keep_drift,
    strict: request.strict,
  }).catch((error: Error) => {
    throw (
      refused ??
      new Failure(error.message, {
        hint: `pass a folder of manifests, or start the daemon with "${typed`svc serve --manifests DIR`}"`,
        cause: error,
      })
    )
  })
}
