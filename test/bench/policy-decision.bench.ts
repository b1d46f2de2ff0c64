// Decisions on commands of 4 KB under each policy. Floor: parsing a JSON list of 20,000 entries.
import { judge } from '../../services/orchestrator/policy/judge.ts'
import { closedUnder } from '../services/orchestrator/policy/closed-under.ts'
import { POLICIES } from '../services/orchestrator/policy/everyday-policies.ts'
import { LONG_COMMANDS } from '../services/orchestrator/policy/long-commands.ts'
import { compare, print, quantile, timed } from './report.ts'

const ROUNDS = 20
const WARM_UP = 20
/** 15 ms where the list takes 5 ms. */
const MOST = 3

const place = { workingDir: '/work/app', home: '/home/me', closed: closedUnder('/home/me') }
const list = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, name: `name ${at}` })))

const decisions: number[] = []
const floors: number[] = []
for (let round = -WARM_UP; round < ROUNDS; round++) {
  for (const command of Object.values(LONG_COMMANDS))
    for (const policy of Object.values(POLICIES)) {
      const took = await timed(() => judge(policy, 'Bash', { command }, place))
      if (round >= 0) decisions.push(took)
    }
  const took = await timed(() => JSON.parse(list))
  if (round >= 0) floors.push(took)
}
const floor = quantile(floors, 0.5)
print('the median decision', quantile(decisions, 0.5), 'ms')
compare({ what: 'p99 of decisions on 4 KB', ours: quantile(decisions, 0.99), floor, unit: 'ms', bound: MOST })
