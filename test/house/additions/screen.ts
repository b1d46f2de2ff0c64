import type { Addition } from './addition.ts'

export const screen: Addition = {
  made: {
    'web/screens/models/screen.tsx': `
import { ScreenHead } from '../../frame/screen-head.tsx'
import { TopicStates } from '../../frame/topic-states.tsx'
import { agentsTopic } from '../../live/topics.ts'
import { useRecords, useTopic } from '../../live/use-live.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { Quoted } from '../../parts/text/quoted.tsx'
import { KEYS } from './keys.ts'
import { modelRows } from './rows.ts'

/** Models, with the number of agents that use each. */
export default function ModelsScreen() {
  const topic = useTopic(agentsTopic)
  const rows = modelRows(useRecords(topic.cache))
  useKeys([{ ...KEYS.top, run: () => window.scrollTo(0, 0) }])
  return (
    <div className="list">
      <ScreenHead title="Models" />
      <TopicStates topic={topic} name="agents" count={rows.length} needs="a role">
        <ul>
          {rows.map(({ model, agents }) => (
            <li key={model} className="entry">
              <Quoted text={model} /> {agents}
            </li>
          ))}
        </ul>
      </TopicStates>
    </div>
  )
}
`,
    'web/screens/models/rows.ts': `
import type { AgentRecord } from '../../../schemas/agent/record.ts'

export interface ModelRow {
  model: string
  /** Number of agents. */
  agents: number
}

/** Models by name; agents without one use the default of their program. */
export function modelRows(agents: readonly { config: Pick<AgentRecord['config'], 'model'> }[]): ModelRow[] {
  const counts = new Map<string, number>()
  for (const { config } of agents) {
    const model = config.model ?? 'default'
    counts.set(model, (counts.get(model) ?? 0) + 1)
  }
  return [...counts].map(([model, count]) => ({ model, agents: count })).sort((a, b) => (a.model < b.model ? -1 : 1))
}
`,
    'web/screens/models/keys.ts': `
/** Keys of the models screen. */
export const KEYS = { top: { keys: 't', does: 'Scroll to the start' } } as const
`,
    'test/web/screens/models/rows.test.ts': `
import { expect, test } from 'vitest'
import { modelRows } from '../../../../web/screens/models/rows.ts'

test('counts the agents of each model', () => {
  const agents = ['b', null, 'b'].map((model) => ({ config: { model } }))
  expect(modelRows(agents)).toEqual([
    { model: 'b', agents: 2 },
    { model: 'default', agents: 1 },
  ])
})
`,
  },
  touched: {
    'cli/page/screens.ts': [["'] as const", "', 'models'] as const"]],
    'docs/page.md': [
      [
        '\n\nEach record has its own address',
        '\n| `/models` | `g l` | How many agents use each model? |\n\nEach record has its own address',
      ],
    ],
    'web/routes.ts': [
      [
        ']\n\n/** Path of a screen without parameters',
        `  {
    path: '/models',
    key: 'l',
    title: 'Models',
    group: 'Work',
    topics: ['agents'],
    load: () => import('./screens/models/screen.tsx'),
    empty: { what: 'No agent exists yet. The models of agents appear here.' },
  },
]

/** Path of a screen without parameters`,
      ],
    ],
  },
}
