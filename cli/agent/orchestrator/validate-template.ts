import type { Command } from 'commander'
import { validateTemplate } from '../../../schemas/workflow/template.ts'
import { TRIGGER_ALIASES } from '../../../schemas/trigger.ts'
import { misuse } from '../../failure.ts'
import { withExamples, withOutput, type OutputOption } from '../../options.ts'
import { paint, visible } from '../../output/print.ts'
import { show } from '../../output/data.ts'
import { triggerOption } from './trigger-options.ts'
import { templateText } from './template-text.ts'

interface ValidateOptions extends OutputOption {
  file?: string
  trigger?: string
  strict?: boolean
}

export function define(command: Command): void {
  command
    .argument('[template]', 'Text of the template; - reads standard input')
    .option('--file <file>', 'File with the template; - reads standard input')
    .addOption(triggerOption('Trigger type, for the variables it adds'))
    .option('--strict', 'Also exit with 1 on unknown variables')
  withExamples(
    withOutput(command),
    'agent validate-template --file prompt.md --trigger webhook',
    `agent validate-template 'Look at {{title}}'`,
  ).action(validate)
}

async function validate(given: string | undefined, options: ValidateOptions): Promise<void> {
  const template = await templateText(given, options.file)
  if (template === undefined) throw misuse('the template is missing', 'pass it on the command line, or with --file')
  const report = validateTemplate(template, TRIGGER_ALIASES[options.trigger ?? ''] ?? options.trigger)
  const place = options.file === undefined || options.file === '-' ? '' : `${options.file}:`
  await show(report, options, () => {
    const line = (severity: 'error' | 'warning') => (issue: { message: string; line: number; column: number }) =>
      `${place}${issue.line}:${issue.column}: ${paint()[severity === 'error' ? 'red' : 'yellow'](severity)}: ${visible(issue.message)}`
    const verdict = report.valid
      ? `valid; variables: ${report.variables.join(', ') || 'none'}`
      : `${report.errors.length} ${report.errors.length === 1 ? 'error' : 'errors'}`
    return [...report.errors.map(line('error')), ...report.warnings.map(line('warning')), verdict].join('\n')
  })
  process.exitCode = report.valid && !(options.strict && report.warnings.length > 0) ? 0 : 1
}
