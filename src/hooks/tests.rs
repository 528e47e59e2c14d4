//! Every limit, every kind of error with its place, and what scripts can see.

use std::time::{Duration, Instant};

use super::{HookSource, Host, check, limits};
use crate::base::span::{FileId, Span};
use crate::base::{Value, ValueRef};
use crate::diagnostics::Code;
use crate::plan::Hook;
use crate::workload::{HookError, HookRunner};

/// Hooks of a file in which each `hook name(params) {` starts a line.
fn hooks_of(text: &str, file: &str) -> Vec<Hook> {
    let mut hooks = Vec::new();
    let mut line_number = 0;
    for (number, line) in text.split('\n').enumerate() {
        if let Some(head) = line.strip_prefix("hook ") {
            let (name, rest) = head.split_once('(').unwrap();
            let (parameters, _) = rest.split_once(')').unwrap();
            let before = line.split_once('{').unwrap().0;
            line_number = number + 1;
            hooks.push(Hook {
                name: name.to_owned(),
                parameters: parameters
                    .split(',')
                    .map(|p| p.trim().to_owned())
                    .filter(|p| !p.is_empty())
                    .collect(),
                body: line[before.len() + 1..].to_owned(),
                file: file.to_owned(),
                line: line_number as u32,
                column: before.chars().count() as u32 + 2,
            });
        } else if let Some(hook) = hooks.last_mut() {
            hook.body.push('\n');
            hook.body.push_str(line);
        }
    }
    assert!(line_number > 0, "no hook in the text");
    for hook in &mut hooks {
        let end = hook.body.rfind('}').unwrap();
        hook.body.truncate(end);
    }
    hooks
}

fn host(text: &str) -> Host {
    Host::new(&hooks_of(text, "test.exp")).unwrap()
}

/// The value of the first hook of a text, without arguments.
fn value(text: &str) -> Result<Value, HookError> {
    host(text).call(0, None, &[])
}

/// The error of the first hook of a text, as shown.
fn error(text: &str) -> String {
    value(text).unwrap_err().to_string()
}

#[test]
fn a_hook_computes_from_its_arguments() {
    let host = host("hook add(a, b) { a + b }");
    let sum = host.call(0, None, &[Value::Int(2), Value::Int(40)]);
    assert_eq!(sum, Ok(Value::Int(42)));
}

#[test]
fn a_record_comes_first_as_a_map_of_its_fields() {
    let host = host("hook older(person, years) { person.age > years && person.name != () }");
    let record = [("age", ValueRef::Int(66)), ("name", ValueRef::Text("Jane"))];
    let older = |years| host.call(0, Some(&record), &[Value::Int(years)]);
    assert_eq!(older(65), Ok(Value::Bool(true)));
    assert_eq!(older(66), Ok(Value::Bool(false)));
}

#[test]
fn every_value_goes_in_and_comes_back() {
    let host = host("hook same(x) { x }");
    let back = |value: Value| host.call(0, None, &[value]).unwrap();
    for value in [
        Value::Null,
        Value::Bool(true),
        Value::Int(i64::MIN),
        Value::Float(0.1),
        Value::Text("Zoë".into()),
        Value::Blob(vec![0, 255]),
        Value::List(vec![Value::Int(1), Value::Text("a".into())]),
        Value::Json(r#"{"a":1,"b":[1.5,null,true,"x"]}"#.into()),
    ] {
        assert_eq!(back(value.clone()), value);
    }
    assert_eq!(back(Value::Timestamp(7)), Value::Int(7));
    assert_eq!(
        back(Value::Uuid([0xab; 16])),
        Value::Text("abababab-abab-abab-abab-abababababab".into())
    );
}

#[test]
fn json_is_a_map_and_its_floats_are_exact() {
    let host = host("hook at(x) { x.deep[1] }");
    let json = Value::Json(r#"{"deep":[0,-13.402823466385287]}"#.into());
    assert_eq!(
        host.call(0, None, &[json]),
        Ok(Value::Float(-13.402823466385287))
    );
}

#[test]
fn a_list_of_records_is_an_array_of_maps() {
    let host = host(
        "hook gap(people) {\n  let ages = people.map(|p| p.age);\n  ages.sort();\n  ages[-1] - ages[0]\n}",
    );
    let records = [
        vec![Value::Int(40)],
        vec![Value::Int(3)],
        vec![Value::Int(98)],
    ];
    assert_eq!(
        host.call_over(0, &["age"], &records, &[]),
        Ok(Value::Int(95))
    );
}

#[test]
fn hooks_of_a_file_call_each_other_and_files_stand_apart() {
    let mut hooks = hooks_of(
        "hook a(x) { twice(x) + 1 }\nhook twice(x) { x * 2 }",
        "a.exp",
    );
    let mut other = hooks_of("hook twice(x) { x * x }", "b.exp");
    other[0].name = "b.twice".into();
    hooks.append(&mut other);
    let host = Host::new(&hooks).unwrap();
    assert_eq!(host.call(0, None, &[Value::Int(5)]), Ok(Value::Int(11)));
    assert_eq!(host.call(2, None, &[Value::Int(5)]), Ok(Value::Int(25)));
}

#[test]
fn time_inside_hooks_adds_up_until_reset() {
    let host = host("hook work() { let x = 0; for i in 0..1000 { x += i } x }");
    assert_eq!(host.spent_ns(), 0);
    host.call(0, None, &[]).unwrap();
    let once = host.spent_ns();
    host.call(0, None, &[]).unwrap();
    assert!(once > 0 && host.spent_ns() > once);
    host.reset();
    assert_eq!(host.spent_ns(), 0);
}

#[test]
fn operations_are_limited() {
    assert_eq!(
        error("hook x() {\n    loop { }\n}"),
        "test.exp:2:10: hook `x`: ran over its limit of 20000000 operations"
    );
}

#[test]
fn operations_in_closures_of_built_in_functions_count_too() {
    let text = "hook x() {\n  let a = [];\n  a.pad(20_000, 1);\n  \
        a.map(|v| { let s = 0; for i in 0..5_000 { s += i } s })\n}";
    assert!(error(text).contains("ran over its limit of 20000000 operations"));
}

#[test]
fn time_is_limited() {
    // The deadline is looked at only every few thousand operations, so a long
    // call is imitated by a meter that started in the past.
    let (engine, meter) = super::sandbox::engine();
    let past = Instant::now().checked_sub(limits::DEADLINE + Duration::from_secs(1));
    meter.start(past.unwrap());
    let failed = engine
        .eval::<i64>("let x = 0; loop { x += 1 }")
        .unwrap_err();
    let fault = super::fault::of_run(&failed);
    assert_eq!(fault.message, "ran over its limit of 20 s");
    assert_eq!(fault.position.line(), Some(1));
}

#[test]
fn depth_of_calls_is_limited() {
    assert_eq!(
        error("hook x() {\n    1 + x()\n}"),
        "test.exp:2:9: hook `x`: calls itself or others deeper than its limit of 24"
    );
}

#[test]
fn the_deepest_allowed_calls_and_expressions_fit_a_small_stack() {
    let nested = format!("{}down(n - 1){}", "(1 + ".repeat(12), ")".repeat(12));
    let text = format!("hook down(n) {{ if n == 0 {{ 0 }} else {{ {nested} }} }}");
    let deep = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(move || host(&text).call(0, None, &[Value::Int(22)]))
        .unwrap();
    assert_eq!(deep.join().unwrap(), Ok(Value::Int(22 * 12)));
}

#[test]
fn depth_of_expressions_is_limited() {
    let text = format!("hook x() {{ {}1{} }}", "(".repeat(60), ")".repeat(60));
    let failed = Host::new(&hooks_of(&text, "test.exp")).err().unwrap();
    assert!(
        failed
            .message
            .contains("nests expressions deeper than its limit of 48"),
        "{failed}"
    );
}

#[test]
fn sizes_are_limited() {
    assert_eq!(
        error("hook x() {\n let s = \"0123456789\";\n loop { s += s }\n}"),
        "test.exp:3:11: hook `x`: a text grew over the limit of 67108864 bytes"
    );
    assert_eq!(
        error("hook x() {\n let a = [];\n a.pad(1_000_001, 0);\n a\n}"),
        "test.exp:3:4: hook `x`: an array grew over the limit of 1000000 elements"
    );
    assert_eq!(
        error(
            "hook x() {\n let a = [#{ a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0, i: 0 }];\n loop { a += a }\n}"
        ),
        "test.exp:3:11: hook `x`: a map grew over the limit of 4000000 entries"
    );
    assert!(
        error("hook x() { let a = []; for i in 0..300 { a.push(`let v${i} = 0;`) } a.nope() }")
            .contains("no function fits `nope (array)`")
    );
}

#[test]
fn variables_are_limited() {
    let many: String = (0..300).map(|i| format!("let v{i} = {i};\n")).collect();
    assert!(
        error(&format!("hook x() {{\n{many}}}")).contains("holds more variables than its limit")
    );
}

#[test]
fn nothing_outside_is_in_reach() {
    for (body, name) in [
        ("import \"x\" as y;", "import"),
        ("eval(\"1\")", "eval"),
        ("2 ** 3", "**"),
    ] {
        let failed = Host::new(&hooks_of(&format!("hook x() {{ {body} }}"), "t")).err();
        let message = failed.map(|e| e.message).unwrap_or_default();
        assert!(message.contains(name), "{body}: {message}");
    }
    for name in ["timestamp", "rand", "open", "system", "env", "now"] {
        let message = error(&format!("hook x() {{ {name}() }}"));
        assert!(message.contains("no function fits"), "{name}: {message}");
    }
    assert_eq!(
        error("hook x() { sleep(1) }"),
        "test.exp:1:12: hook `x`: throws a hook cannot sleep"
    );
    assert_eq!(
        value("hook x() { print(\"a\"); debug(\"b\"); 1 }"),
        Ok(Value::Int(1))
    );
}

#[test]
fn mathematics_is_libm() {
    let host = host("hook f(x) { [sin(x), x.exp(), ln(x), pow(x, 0.3), pow(3, 4), atan(x, 2.0)] }");
    let x = 0.7391;
    let expected = [
        Value::Float(libm::sin(x)),
        Value::Float(libm::exp(x)),
        Value::Float(libm::log(x)),
        Value::Float(libm::pow(x, 0.3)),
        Value::Int(81),
        Value::Float(libm::atan2(x, 2.0)),
    ];
    let list = host.call(0, None, &[Value::Float(x)]);
    assert_eq!(list, Ok(Value::List(expected.to_vec())));
}

#[test]
fn run_time_errors_say_where_and_what() {
    for (text, expected) in [
        (
            "hook x() {\n    let p = #{ age: 3 };\n    p.agee\n}",
            "test.exp:3:7: hook `x`: there is no field `agee`",
        ),
        (
            "hook x() { 1 / 0 }",
            "test.exp:1:14: hook `x`: division by zero: 1 / 0",
        ),
        (
            "hook x() { 9223372036854775807 + 1 }",
            "test.exp:1:32: hook `x`: addition overflow: 9223372036854775807 + 1",
        ),
        (
            "hook x() { throw \"no luck\" }",
            "test.exp:1:12: hook `x`: throws no luck",
        ),
        (
            "hook x() { \"a\" - 1 }",
            "test.exp:1:16: hook `x`: no function fits `- (text, int)`",
        ),
        (
            "hook x() { [1, 2][7] }",
            "test.exp:1:19: hook `x`: array index 7 out of bounds: only 2 elements in array",
        ),
        (
            "hook x() { |a| a }",
            "test.exp:1:11: hook `x`: returns a function, which is no value",
        ),
        (
            "hook x() { 0.0 / 0.0 }",
            "test.exp:1:11: hook `x`: returns the number NaN, which no field can hold",
        ),
        (
            "hook x(a) { a }",
            "test.exp:1:12: hook `x`: takes 1 argument, 0 given",
        ),
    ] {
        assert_eq!(error(text), expected);
    }
}

#[test]
fn an_error_in_a_called_hook_names_both() {
    assert_eq!(
        error(
            "hook x() {\n  below(0)\n}\n\n// helps\nhook below(n) {\n  // a comment\n  10 / n\n}"
        ),
        "test.exp:8:6: hook `below`: division by zero: 10 / 0 (called by `x`)"
    );
}

fn checked(head: &str, parameters: &[&str], body: &str) -> Vec<(Code, String, String)> {
    let text = format!("hook {head}() {{{body}}}");
    let start = text.find('{').unwrap() + 1;
    let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    let source = HookSource {
        name: head,
        name_span: Span::of(FileId(0), 5, 5 + head.len()),
        parameters: &parameters,
        body,
        body_span: Span::of(FileId(0), start, start + body.len()),
    };
    check(&[source])
        .into_iter()
        .map(|d| (d.code, d.message, text[d.span.unwrap().range()].to_owned()))
        .collect()
}

#[test]
fn good_hooks_check_clean() {
    for body in [
        "",
        " // only a comment",
        " other(x) + 1 ",
        " x.filter(|v| v > 3).len() ",
        " let s = `${x} {`; s + '}' + \"}\" /* } */ ",
    ] {
        assert_eq!(checked("good", &["x"], body), []);
    }
}

#[test]
fn syntax_errors_point_into_the_body() {
    for (body, message, marked) in [
        (
            "\n  let e = 'é'; y + e\n",
            "hook `bad`: there is no variable `y`",
            "y",
        ),
        (
            "\n  import \"x\" as z;\n",
            "hook `bad`: `import` is not to be had in a hook",
            "import",
        ),
        (
            " 2 ** x ",
            "hook `bad`: `**` is not to be had in a hook; `pow(x, y)` is",
            "*",
        ),
    ] {
        assert_eq!(
            checked("bad", &["x"], body),
            [(Code::HookSyntax, message.to_owned(), marked.to_owned())]
        );
    }
    let unfinished = checked("bad", &[], " let x = ");
    assert_eq!(unfinished.len(), 1);
    assert_eq!(unfinished[0].0, Code::HookSyntax);
}

#[test]
fn a_body_cannot_leave_its_braces() {
    let escaped = checked("bad", &[], " 1 } fn other() { 2 ");
    assert_eq!(escaped.len(), 1);
    assert!(escaped[0].1.contains("ends before its last brace"));
}

#[test]
fn words_of_rhai_name_no_hook() {
    let named = checked("switch", &[], " 1 ");
    assert_eq!(named.len(), 1);
    assert_eq!(
        (named[0].0, named[0].2.as_str()),
        (Code::HookName, "switch")
    );
}

mod any_text {
    use proptest::prelude::*;

    use super::*;

    /// Pieces that scripts are made of, in any order, and some that they are not.
    fn body() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("let a = ".to_owned()),
            Just("if x { ".to_owned()),
            Just(" } ".to_owned()),
            Just("|v| v + 1".to_owned()),
            Just("\n".to_owned()),
            Just("é\t".to_owned()),
            Just("`${".to_owned()),
            Just("/* ".to_owned()),
            Just("import \"x\" as y;".to_owned()),
            Just("fn f(z) { z }".to_owned()),
            Just(";".to_owned()),
            "[ -~]{0,6}",
            any::<String>(),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn errors_stay_inside_the_body(body in body()) {
            let parameters = ["x".to_owned()];
            let source = HookSource {
                name: "any",
                name_span: Span::of(FileId(0), 0, 3),
                parameters: &parameters,
                body: &body,
                body_span: Span::of(FileId(0), 100, 100 + body.len()),
            };
            let found = check(&[source]);
            prop_assert!(found.len() <= 1);
            for diagnostic in &found {
                let range = diagnostic.span.unwrap().range();
                prop_assert!(body.get(range.start - 100..range.end - 100).is_some());
            }
            // What checks clean compiles in a worker too.
            let hook = Hook {
                name: "any".into(),
                parameters: parameters.to_vec(),
                body: body.clone(),
                file: "any.exp".into(),
                line: 1,
                column: 1,
            };
            let compiled = Host::new(&[hook]);
            if found.is_empty() {
                prop_assert!(compiled.is_ok(), "{}", compiled.err().unwrap());
            }
        }
    }
}
