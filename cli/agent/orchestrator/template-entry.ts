// `validate-template` as help lists it, below `agent` and below `agent orchestrator`.
import type { CommandEntry } from '../../program.ts'

export const validateTemplate: CommandEntry = {
  name: 'validate-template',
  summary: 'check a prompt template: unclosed, empty, unknown variables',
  load: () => import('./validate-template.ts'),
}
