// Variables of the environment, by their effect on the programs that read them.

/** Variables by which a program runs another, finds another, or reads another configuration. */
const POWERFUL =
  /^(PATH|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|SHELL|PROMPT_COMMAND|PS[0-4]|HOME|CDPATH|FPATH|ZDOTDIR|EDITOR|VISUAL|BROWSER|.*PAGER|LESSOPEN|LESSCLOSE|LD_.*|DYLD_.*|GIT_.*|.*_RSH|.*ASKPASS|PYTHON.*|NODE_OPTIONS|NODE_PATH|PERL.*|RUBY.*|LUA_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAKEFLAGS|MAKE|CC|CXX|GCONV_PATH|LOCPATH|TERMINFO.*|XDG_CONFIG_.*|DOCKER_HOST|KUBECONFIG|npm_config_.*|NPM_CONFIG_.*|CARGO_.*|RUSTC.*|GOFLAGS|TAR_OPTIONS|POSIXLY_CORRECT|.*COMMAND|.*_CMD)$/
const HARMLESS_GIT =
  /^GIT_(TERMINAL_PROMPT|AUTHOR_(NAME|EMAIL|DATE)|COMMITTER_(NAME|EMAIL|DATE)|MERGE_AUTOEDIT|OPTIONAL_LOCKS)$/
/** What many programs read, and an earlier command may have exported. */
const READ_BY_MANY = /(proxy|_HOME|_PATH|_DIR|_URL|_HOST|CONFIG.*|OPTIONS|OPTS|FLAGS|TOKEN|SECRET|KEY|PROFILE|_FILE)$/i
const HARMLESS =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GIT_TERMINAL_PROMPT|DEBUG|VERBOSE|TERM)$/

/** Variables that change nothing but wording, zones and amounts of output. */
export const isHarmlessVariable = (name: string): boolean => HARMLESS.test(name)

export const changesPrograms = (name: string): boolean => POWERFUL.test(name) && !HARMLESS_GIT.test(name)

/** Variables that a script may not set for itself: a program may read one that is exported already. */
export const isPowerful = (name: string): boolean => POWERFUL.test(name) || READ_BY_MANY.test(name)
