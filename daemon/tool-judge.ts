// Judges tool calls without a daemon.
import type { Config } from '../platform/core/config.ts'
import { ClosedSet } from '../platform/files/closed-set.ts'
import type { ToolPolicy } from '../schemas/tools/policy.ts'
import { judge, type Judgement } from '../services/orchestrator/policy/judge.ts'
import { mainArgument } from '../services/orchestrator/policy/main-argument.ts'

interface Judged extends Judgement {
  /** What the call is about: `Bash(npm test)`. */
  call: string
}

/** Returns the judge of an agent without further directories. */
export function toolJudge(config: Config, workingDir: string) {
  const place = { workingDir, home: config.home, closed: new ClosedSet(config) }
  return (policy: ToolPolicy, tool: string, input: unknown): Judged => ({
    ...judge(policy, tool, input, place),
    call: `${tool}(${mainArgument(tool, input)})`,
  })
}
