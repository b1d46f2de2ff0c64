// The sandbox of an agent's manifest: its own, that of its policy, or the default of the configuration.
import { resolvePath, type ManifestContext } from '../kind.ts'
import {
  canonicalSandbox,
  firstSandbox,
  plainPath,
  type PolicySandbox,
  type Sandbox,
  type SandboxSpec,
} from './sandbox.ts'

type Places = Pick<ManifestContext, 'directory' | 'project' | 'home'>

/** A path below `~` keeps it: the home is that of the agent's OS user. */
export const isOfHome = (path: string): boolean => path === '~' || path.startsWith('~/')

/** With absolute paths, as other paths of the manifest. */
export function placedSandbox(written: Sandbox | undefined, context: Places): Sandbox | SandboxSpec | undefined {
  if (typeof written !== 'object') return written
  return canonicalSandbox(written, (path) => (isOfHome(path) ? plainPath(path) : resolvePath(path, context)))
}

export function sandboxOf(
  { sandbox, policy }: { sandbox?: Sandbox; policy?: string },
  context: Places & Pick<ManifestContext, 'lookUp' | 'defaultSandbox'>,
): SandboxSpec {
  const named =
    policy === undefined ? undefined : (context.lookUp('policies', policy) as { sandbox?: PolicySandbox } | undefined)
  return firstSandbox(placedSandbox(sandbox, context), named?.sandbox, context.defaultSandbox)
}
