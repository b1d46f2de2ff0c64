// The first policy of docs/policies.md, in force on an agent.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shownFiles } from '../../first-hour/shown-files.ts'
import { DaemonStand } from '../../support/daemon.ts'

const PAGE = 'policies/tester.yml'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write(PAGE, shownFiles('docs/policies.md')[PAGE]!)
  stand.write('agents/tester.yml', 'name: tester\nruntime: scripted\nworking_dir: .\nshell: bash\npolicy: tester\n')
  await stand.startInside()
  await stand.settled()
})
afterAll(() => stand.close())

test('applies the documented first policy to its agent', async () => {
  expect((await stand.agentNamed('tester')).config.tool_policy).toEqual({
    mode: 'allow_list',
    tools: ['Bash(git diff *)', 'Bash(npm test *)', 'Glob', 'Grep', 'Read'],
    ask: ['Bash(git push *)'],
    deny: ['Read(**/.env)'],
    otherwise: 'ask',
  })
})
