import { type Command, Option } from 'commander'
import { misuse } from '../../failure.ts'

interface PolicyAnswers {
  tools?: string[]
  ask?: string[]
  deny?: string[]
  otherwise?: string
}

interface PolicyOptions extends PolicyAnswers {
  policy?: string
  [other: string]: unknown
}

/** Options beside the mode and the tools, by field. */
export const answerOptions = () => ({
  ask: new Option('--ask <tool...>', 'Tools beside the list that a person decides'),
  deny: new Option('--deny <tool...>', 'Tools that an allow_list refuses although it covers them'),
  otherwise: new Option('--otherwise <answer>', 'Answer to calls that no entry decides').choices(['ask', 'deny']),
})

export function withPolicy(command: Command, modes: readonly string[]): Command {
  command
    .addOption(new Option('--policy <mode>', 'Tool policy').choices(modes))
    .option('--tools <tool...>', 'Tools of an allow_list or deny_list, such as Read or "Bash(git log *)"')
  for (const option of Object.values(answerOptions())) command.addOption(option)
  return command
}

/** Returns undefined if no policy option is given. Throws if there are answers without a mode. */
export function policyOf({ policy, tools, ask, deny, otherwise }: PolicyOptions) {
  const answers: PolicyAnswers = { tools, ask, deny, otherwise }
  const given = Object.entries(answers).find(([, value]) => value !== undefined)
  if (policy !== undefined) return { mode: policy, ...answers }
  if (given) throw misuse(`--${given[0]} needs a list mode`, 'add --policy allow_list or --policy deny_list')
  return undefined
}
