"""`hsctl completion`: a script that teaches a shell the commands, options, agents and replays of hsctl."""

from typing import Annotated

import typer

from engine.errors import HsctlError

EXAMPLES = """
hsctl completion bash >> ~/.bashrc
hsctl completion zsh >> ~/.zshrc
hsctl completion fish > ~/.config/fish/completions/hsctl.fish
"""

BASH = """\
_hsctl() {
    local found
    COMPREPLY=()
    while IFS= read -r found; do
        COMPREPLY+=("$found")
    done < <(hsctl completion bash --line "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    [[ ${COMPREPLY[0]} == *[=:,] ]] && compopt -o nospace
}
complete -o default -F _hsctl hsctl
"""
ZSH = """\
_hsctl() {
    local -a found
    found=("${(@f)$(hsctl completion zsh --line "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
    found=("${(@)found:#}")
    if (( $#found )); then compadd -S '' -- $found; else _files; fi
}
compdef _hsctl hsctl
"""
FISH = """\
complete -c hsctl -a '(hsctl completion fish --line (commandline -cp) 2>/dev/null)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def completion(
    context: typer.Context,
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="The shell.")],
    line: Annotated[str | None, typer.Option(metavar="TEXT", hidden=True)] = None,
) -> None:
    """Print a script that completes hsctl in your shell: commands, options, agents and their parameters, replays."""
    if shell not in SCRIPTS:
        raise HsctlError(f"{shell!r} is not supported, expected one of {', '.join(SCRIPTS)}")
    if line is None:
        typer.echo(SCRIPTS[shell], nl=False)
        return
    from hsctl.cli.completing import complete

    assert context.parent is not None
    for found in complete(context.parent.command.commands, line, is_bash=shell == "bash"):  # type: ignore[attr-defined]
        typer.echo(found)
