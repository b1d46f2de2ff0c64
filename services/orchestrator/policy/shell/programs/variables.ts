// Variables of the environment, by their effect on the programs that read them.
import type { ShellWord } from '../shell-word.ts'

/** Variables by which a program runs another, finds another, or reads another configuration. */
const POWERFUL =
  /^(PATH|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|SHELL|PROMPT_COMMAND|PS[0-4]|HOME|CDPATH|FPATH|ZDOTDIR|EDITOR|VISUAL|BROWSER|.*PAGER|LESSOPEN|LESSCLOSE|LD_.*|DYLD_.*|GIT_.*|.*_RSH|.*ASKPASS|PYTHON.*|NODE_OPTIONS|NODE_PATH|PERL.*|RUBY.*|LUA_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAKEFLAGS|MAKE|CC|CXX|GCONV_PATH|LOCPATH|TERMINFO.*|XDG_CONFIG_.*|DOCKER_HOST|KUBECONFIG|npm_config_.*|NPM_CONFIG_.*|CARGO_.*|RUSTC.*|GOFLAGS|TAR_OPTIONS|POSIXLY_CORRECT|.*COMMAND|.*_CMD)$/
const HARMLESS_GIT =
  /^GIT_(TERMINAL_PROMPT|AUTHOR_(NAME|EMAIL|DATE)|COMMITTER_(NAME|EMAIL|DATE)|MERGE_AUTOEDIT|OPTIONAL_LOCKS)$/
/** What many programs read, and an earlier command may have exported. */
const READ_BY_MANY = /(proxy|_HOME|_PATH|_DIR|_URL|_HOST|CONFIG.*|OPTIONS|OPTS|FLAGS|TOKEN|SECRET|KEY|PROFILE|_FILE)$/i
/** Variables that change nothing but wording, zones and amounts of output, with these values. */
const HARMLESS: [RegExp, RegExp][] = [
  [
    /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GIT_TERMINAL_PROMPT|DEBUG|VERBOSE|TERM)$/,
    /^/,
  ],
  [/^(PORT|HOST|LOG_LEVEL|VITE_\w+|NEXT_PUBLIC_\w+|CGO_ENABLED|GOOS|GOARCH|DJANGO_SETTINGS_MODULE)$/, /^/],
  [/^((GIT_|MAN)?PAGER)$/, /^(cat)?$/],
  [/^(GIT_EDITOR|GIT_SEQUENCE_EDITOR|EDITOR|VISUAL)$/, /^(true|:)$/],
  [/^NODE_OPTIONS$/, /^--(max-old-space-size=\d+|enable-source-maps|no-warnings|experimental-vm-modules)$/],
  // Below the working directory.
  [/^PYTHONPATH$/, /^(?!.*\.\.)(\.|\w[\w./-]*)$/],
  [/^IFS$/, /^$/],
]

export const isHarmlessSetting = (name: string, { is, text }: ShellWord): boolean =>
  is === 'literal' && HARMLESS.some(([names, values]) => names.test(name) && values.test(text))

export const changesPrograms = (name: string, value: ShellWord): boolean =>
  POWERFUL.test(name) && !HARMLESS_GIT.test(name) && !isHarmlessSetting(name, value)

/** Variables that a script may not set for itself: a program may read one that is exported already. */
export const isPowerful = (name: string): boolean => POWERFUL.test(name) || READ_BY_MANY.test(name)
