// The policies that families are judged under, and the place of the agent.
import { join } from 'node:path'
import { scanAtOnce } from '../../../../controller/reading/folder/folder-scan.ts'
import { readPlaces } from '../../../../controller/reading/folder/read-places.ts'
import { canonicalPolicy, type ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { PRESETS } from '../../../../schemas/tools/presets/index.ts'
import type { Place } from '../../../../services/orchestrator/policy/workplace.ts'
import { closedUnder } from '../../../services/orchestrator/policy/closed-under.ts'
import type { World } from './world.ts'

const OWN: Record<string, ToolPolicy> = {
  directories: { mode: 'allow_all' },
  everywhere: { mode: 'allow_all' },
  denied: { mode: 'deny_list', tools: ['Bash(rm *)', 'Bash(curl *)', 'Bash(git push *)', 'Bash(sudo *)'] },
}

/** Throws if there is no policy of that name. */
export function policyOf(name: string): ToolPolicy {
  const preset = PRESETS.find((each) => each.name === name)
  const policy = OWN[name] ?? (preset && canonicalPolicy(preset, 'allow_all'))
  if (policy === undefined) throw new Error(`policies of attacks.json: no policy "${name}"; see policies.ts`)
  return policy
}

/** Without a sandbox. The project's manifests are read by a source. `everywhere` opens the whole file system. */
export function placeIn(world: World, policy = ''): Place {
  const manifests = join(world.project, 'manifests')
  const desired = readPlaces(manifests, scanAtOnce(manifests)).map((place) => ({ ...place, readBy: 'source default' }))
  const single = ['svc.yaml', 'manifests/signers'].map((path) => ({ root: join(world.project, path), readBy: 'svc' }))
  return {
    workingDir: world.project,
    home: world.home,
    additionalDirs: policy === 'everywhere' ? ['/'] : [],
    closed: closedUnder(world.home),
    desired: [...desired, ...single],
  }
}
