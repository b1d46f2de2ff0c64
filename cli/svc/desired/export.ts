import { Option, type Command } from 'commander'
import { asOneText } from '../../../schemas/manifest/export.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { typed } from '../../command-line.ts'
import { misuse } from '../../failure.ts'
import { kindNamed } from '../../kind.ts'
import { exportLive, writeNew } from '../../manifests/export.ts'
import { withExamples, withJson, withUrl, type UrlOption } from '../../options.ts'
import { print, printJson, visible } from '../../output/print.ts'

interface ExportOptions extends UrlOption {
  kind?: string
  output?: 'yaml' | 'json' | 'dir'
  json?: boolean
}

export function define(command: Command): void {
  command
    .argument('[folder]', 'Folder to write one file per resource to; existing files are never overwritten')
    .option('--kind <kind>', `Only this kind: ${kinds.map(({ kind }) => kind).join(', ')} (default: all)`)
    .addOption(
      new Option(
        '-o, --output <format>',
        'Output format; yaml and json print to standard output, dir writes files',
      ).choices(['yaml', 'json', 'dir']),
    )
  withExamples(withUrl(withJson(command)), 'svc export', 'svc export --kind agents', 'svc export team-now').action(
    exportTeam,
  )
}

async function exportTeam(folder: string | undefined, options: ExportOptions): Promise<void> {
  const format = options.json ? 'json' : (options.output ?? (folder === undefined ? 'yaml' : 'dir'))
  if (format === 'dir' && folder === undefined)
    throw misuse('no folder given', `pass a folder that does not exist yet: ${typed`svc export FOLDER`}`)
  if (format !== 'dir' && folder !== undefined)
    throw misuse(`${format} is printed to standard output, not written to ${folder}`, 'omit the folder, or omit -o')
  const exported = await exportLive(options, options.kind === undefined ? undefined : kindNamed(options.kind).kind)
  if (format === 'json') return printJson(exported)
  if (format === 'yaml') return print(onScreen(asOneText(exported, kinds)))
  const paths = await writeNew(folder!, exported.manifests, `use another folder: ${typed`svc export FOLDER`}`)
  print(
    [
      ...paths.map((path) => `created ${visible(path)}`),
      `${paths.length} ${paths.length === 1 ? 'manifest' : 'manifests'} in ${folder}`,
      'next',
      `  ${typed`svc plan ${folder!}`}`,
    ].join('\n'),
  )
}

/** Escapes control characters on a terminal only. */
const onScreen = (text: string): string => (process.stdout.isTTY ? visible(text) : text)
