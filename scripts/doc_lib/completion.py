# SPDX-License-Identifier: LGPL-2.1-or-later
"""Completion of command lines in bash: options, names of studies and models, files,
and settings, of which it offers those that the study and the model of the file have."""

SCRIPT = r"""# bash completion for slender_fem                          -*- shell-script -*-
# shellcheck shell=bash
# Made by scripts/manual from what the program says of itself.

# A setting, who has it (no one: every file), and its choices; between bars.
_slender_fem_settings='@SETTINGS@'

# The value of a parameter that stands outside of any section: from --set, or
# from the parameter file.
_slender_fem_value() {
  local name=$1 word number
  for ((number = 1; number < COMP_CWORD; ++number)); do
    word=${COMP_WORDS[number]}
    word=${word//[\"\']/}
    if [[ $word == "$name="* ]]; then
      printf '%s' "${word#*=}"
      return
    fi
  done
  for word in "${COMP_WORDS[@]:1}"; do
    word=${word//[\"\']/}
    if [[ $word == *.prm && -r $word ]]; then
      sed -n "s/^ *set *$name *= *\([^#]*[^# ]\).*/\1/p" "$word" | head -n 1
      return
    fi
  done
}

# _slender_fem_offer TEXT CANDIDATE...: those that begin with the text.
_slender_fem_offer() {
  local text=$1 candidate
  shift
  for candidate; do
    [[ $candidate == "$text"* ]] && COMPREPLY+=("$candidate")
  done
}

# A setting is completed in three steps: its section, its name, its value. $2 is
# what readline will leave as it is, the name where '=' ends a word for it.
_slender_fem_setting() {
  local text=$1 kept=$2 study model name owners choices section
  local -a candidates=()
  local -A seen=()
  study=$(_slender_fem_value Study)
  model=$(_slender_fem_value Model)
  while IFS='|' read -r name owners choices; do
    if [[ $text == "$name="* ]]; then
      local -a values
      IFS=',' read -ra values <<<"$choices"
      local value
      for value in "${values[@]}"; do
        candidates+=("$name=$value")
      done
      break
    fi
    [[ -z $owners || -z $study$model || ,$owners, == *",$study,"* || ,$owners, == *",$model,"* ]] ||
      continue
    section=${name%/*}
    if [[ $name != */* || $text == "$section/"* ]]; then
      candidates+=("$name=")
    elif [[ -z ${seen[$section]} ]]; then
      seen[$section]=1
      candidates+=("$section/")
    fi
  done <<<"$_slender_fem_settings"
  _slender_fem_offer "$text" "${candidates[@]}"
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
  # As names of files are: with their blanks quoted, and open at the end.
  compopt -o filenames 2>/dev/null
  if [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} == *[/=] ]]; then
    compopt -o nospace 2>/dev/null
  fi
}

_slender_fem() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  # Readline closes a quotation behind each step; what is typed then follows it.
  current=${current#\'}
  current=${current//[\"\\]/}
  COMPREPLY=()
  # Outside of quotes, '=' is a word of its own.
  if [[ $current == '=' && ${COMP_WORDS[COMP_CWORD - 2]} == --set ]]; then
    _slender_fem_setting "${before//\\/}=" "${before//\\/}="
    return
  fi
  if [[ $before == '=' && $COMP_CWORD -ge 3 && ${COMP_WORDS[COMP_CWORD - 3]} == --set ]]; then
    local name=${COMP_WORDS[COMP_CWORD - 2]//\\/}
    _slender_fem_setting "$name=$current" "$name="
    return
  fi
  case $before in
    --set) _slender_fem_setting "$current" '' ;;
    --describe)
      _slender_fem_offer "$current" @NAMES@
      compopt -o filenames 2>/dev/null
      ;;
    --output)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
    *)
      if [[ $current == -* ]]; then
        _slender_fem_offer "$current" @OPTIONS@
      else
        mapfile -t COMPREPLY < <(compgen -d -- "$current"; compgen -f -X '!*.prm' -- "$current")
        compopt -o filenames 2>/dev/null
      fi
      ;;
  esac
}

complete -F _slender_fem slender_fem
"""


def quoted(words):
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


def bash_completion(program):
    """The text of a file for bash-completion's folder, or to be sourced."""
    names = {"Model": program.models, "Study": program.studies}
    lines = []
    for path, (choices, users) in program.users_of_parameters().items():
        choices = [one["name"] for one in names[path]] if path in names else choices
        # Vectors and lists are not offered.
        choices = [choice for choice in choices if choice and not set(choice) & set(",|")]
        lines.append("|".join([path, ",".join(sorted(users)), ",".join(choices)]))
    everybody = [one["name"] for one in [*program.studies, *program.models]]
    text = SCRIPT.replace("@SETTINGS@", "\n".join(lines).replace("'", "'\\''"))
    text = text.replace("@OPTIONS@", quoted([*program.usage.options, "-h"]))
    return text.replace("@NAMES@", quoted(everybody))
