// `svc export [FOLDER]`: what is live, as the shortest manifests that say it.
import { Option, type Command } from 'commander'
import { asOneText } from '../../../schemas/manifest/export.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { typed } from '../../command-line.ts'
import { misuse } from '../../failure.ts'
import { kindNamed } from '../../kind.ts'
import { exportLive, writeNew } from '../../manifests/export.ts'
import { withExamples, withUrl, type UrlOption } from '../../options.ts'
import { print, printJson, visible } from '../../output/print.ts'

interface ExportOptions extends UrlOption {
  kind?: string
  output?: 'yaml' | 'json' | 'dir'
  json?: boolean
}

export function define(command: Command): void {
  command
    .argument('[folder]', 'where to put a file for each resource; nothing there is overwritten')
    .option('--kind <kind>', `one of ${kinds.map(({ kind }) => kind).join(', ')}; default: all`)
    .addOption(
      new Option('-o, --output <format>', 'yaml: all of it on standard output; dir: files in a folder').choices([
        'yaml',
        'json',
        'dir',
      ]),
    )
    .option('--json', 'short for -o json')
  withExamples(withUrl(command), 'svc export', 'svc export --kind agents', 'svc export team-now').action(exportTeam)
}

async function exportTeam(folder: string | undefined, options: ExportOptions): Promise<void> {
  const format = options.json ? 'json' : (options.output ?? (folder === undefined ? 'yaml' : 'dir'))
  if (format === 'dir' && folder === undefined)
    throw misuse('which folder?', `name one that is not there yet: ${typed`svc export FOLDER`}`)
  if (format !== 'dir' && folder !== undefined)
    throw misuse(`${format} goes to standard output, not to ${folder}`, 'leave the folder out, or leave -o out')
  const exported = await exportLive(options, options.kind === undefined ? undefined : kindNamed(options.kind).kind)
  if (format === 'json') return printJson(exported)
  if (format === 'yaml') return print(onScreen(asOneText(exported, kinds)))
  const paths = await writeNew(folder!, exported.manifests, `name another folder: ${typed`svc export FOLDER`}`)
  print(
    [
      ...paths.map((path) => `made ${visible(path)}`),
      `${paths.length} ${paths.length === 1 ? 'manifest' : 'manifests'} in ${folder}`,
      'next',
      `  ${typed`svc plan ${folder!}`}`,
    ].join('\n'),
  )
}

/** A terminal must not be driven by what is exported; a file gets it as it is. */
const onScreen = (text: string): string => (process.stdout.isTTY ? visible(text) : text)
