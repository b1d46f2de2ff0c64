import { expect, test } from 'vitest'
import { matchingCommands, type Command } from '../../../../web/parts/commands/commands.ts'

const command = (title: string, more: Partial<Command> = {}): Command => ({
  id: title,
  kind: 'go',
  title,
  run: () => undefined,
  ...more,
})
const titles = (query: string, commands: Command[]) => matchingCommands(query, commands).map(({ title }) => title)

test('requires every word, in any order', () => {
  const commands = [command('Interrupt builder'), command('Interrupt planner'), command('Inbox')]
  expect(titles('builder inter', commands)).toEqual(['Interrupt builder'])
  expect(titles('nothing', commands)).toEqual([])
})

test('prefers starts of titles and of words', () => {
  const commands = [command('debugger'), command('agents/bugs'), command('bug-hunter')]
  expect(titles('bug', commands)).toEqual(['bug-hunter', 'agents/bugs', 'debugger'])
})

test('finds actions by the command line that does the same', () => {
  expect(
    titles('agent interrupt', [command('Stop the turn', { shown: 'agent orchestrator interrupt builder' })]),
  ).toEqual(['Stop the turn'])
})

test('shows at most 50 results', () => {
  const commands = Array.from({ length: 80 }, (_, index) => command(`agent ${index}`))
  expect(titles('', commands).length).toBe(50)
})
