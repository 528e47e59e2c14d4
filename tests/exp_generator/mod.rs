//! Valid experiment files by chance, as tokens, so that any layout and any
//! comments can be put between them.

pub struct Generator {
    state: u64,
    tokens: Vec<String>,
}

/// Tokens of a valid file. Parts of one token touch each other.
pub fn tokens(seed: u64) -> Vec<String> {
    let mut generator = Generator {
        state: seed,
        tokens: Vec::new(),
    };
    generator.file();
    generator.tokens
}

/// The tokens with a space, a line break, or a numbered comment after each.
/// Gives the text and the comments in it.
pub fn lay_out(tokens: &[String], seed: u64, comments: bool) -> (String, Vec<String>) {
    let mut chance = Generator {
        state: seed,
        tokens: Vec::new(),
    };
    let mut text = String::new();
    let mut written = Vec::new();
    for token in tokens {
        text.push_str(token);
        match chance.below(24) {
            0 => text.push('\n'),
            1 => text.push_str("\n\n\n    "),
            2 => text.push_str("\n\t"),
            3 if comments => {
                let comment = format!("// note {}", written.len());
                text.push_str(&format!("  {comment}\n"));
                written.push(comment);
            }
            4 if comments => {
                let comment = format!("// line {}", written.len());
                text.push_str(&format!("\n\n  {comment}  \n    "));
                written.push(comment);
            }
            _ => text.push(' '),
        }
    }
    written.sort();
    (text, written)
}

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        // splitmix64
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn maybe(&mut self) -> bool {
        self.below(2) == 0
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len() as u64) as usize]
    }

    fn put(&mut self, token: impl Into<String>) {
        self.tokens.push(token.into());
    }

    fn all(&mut self, tokens: &str) {
        self.tokens.extend(tokens.split(' ').map(str::to_owned));
    }

    fn list(&mut self, least: u64, most: u64, mut one: impl FnMut(&mut Self)) {
        for at in 0..least + self.below(most - least + 1) {
            if at > 0 {
                self.put(",");
            }
            one(self);
        }
    }

    fn name(&mut self) -> &'static str {
        // Keywords are names too.
        self.pick(&[
            "age",
            "n",
            "batch",
            "first_name",
            "key",
            "order",
            "limit",
            "size",
            "row",
            "text",
            "memory",
            "of",
            "at",
            "by",
            "x1",
            "_low",
            "case",
            "set",
            "one",
            "desc",
            "for_",
        ])
    }

    /// A name in a place where no clause word can stand.
    fn operand_name(&mut self) -> &'static str {
        self.pick(&[
            "age",
            "n",
            "batch",
            "first_name",
            "size",
            "row",
            "x1",
            "_low",
            "it",
        ])
    }

    fn model(&mut self) -> &'static str {
        self.pick(&["User", "Grade", "TestData", "people.Person"])
    }

    fn number(&mut self) -> &'static str {
        self.pick(&[
            "0", "7", "1_000", "10k", "2M", "0.5", "8GiB", "15min", "0.2ms", "60%", "12.5%", "40kB",
        ])
    }

    fn text(&mut self) -> String {
        let part = |generator: &mut Self| {
            generator.pick(&[
                "abc",
                "{row}",
                "{row + 1}",
                "{{",
                "}",
                "\\\"",
                "\\\\",
                "\\n",
                " ",
                "パ",
                "// no",
                "{f(\"in\")}",
                "{ n * 2 }",
                "A*",
                "{uuid}",
            ])
        };
        let parts: String = (0..self.below(4)).map(|_| part(self)).collect();
        format!("\"{parts}\"")
    }

    fn plain_text(&mut self) -> &'static str {
        self.pick(&[
            "\"abc\"",
            "\"A*\"",
            "\"\"",
            "\"{{x}\"",
            "\"a // b\"",
            "\"\\\\%\"",
        ])
    }

    fn path(&mut self) -> String {
        let first = self.operand_name();
        match self.below(4) {
            0 => format!("{first}.{}", self.name()),
            _ => first.to_owned(),
        }
    }

    fn operand(&mut self, depth: u32) {
        let bound = if depth == 0 { 6 } else { 14 };
        match self.below(bound) {
            0 | 1 => {
                let path = self.path();
                self.put(path);
            }
            2 => {
                let number = self.number();
                self.put(number);
            }
            3 => {
                let text = self.text();
                self.put(text);
            }
            4 => {
                let word = self.pick(&["true", "false", "null", "@2024-01-31T00:00Z"]);
                self.put(word);
            }
            5 => {
                let path = self.path();
                self.put(path);
            }
            6 | 7 => {
                // The parenthesis touches the name.
                let name = self.pick(&["uniform(", "count(", "f(", "zipf(", "sequence("]);
                self.put(name);
                self.list(0, 3, |g| {
                    if g.below(5) == 0 {
                        g.all("step :");
                    }
                    g.expr(depth - 1);
                });
                self.put(")");
            }
            8 => {
                self.put("(");
                self.expr(depth - 1);
                self.put(")");
            }
            9 => {
                let word = self.pick(&["any", "all", "none"]);
                self.put(word);
                let path = self.path();
                self.put(path);
                self.put("(");
                self.expr(depth - 1);
                self.put(")");
            }
            10 => {
                self.put("{");
                for _ in 0..self.below(4) {
                    let name = self.name();
                    self.put(format!("{name}:"));
                    self.expr(depth - 1);
                }
                self.put("}");
            }
            11 => {
                self.put("[");
                self.list(0, 3, |g| g.expr(depth - 1));
                self.put("]");
            }
            12 => {
                let name = self.pick(&["time(", "growth(", "disk("]);
                self.put(name);
                self.all("realm , t.s");
                if self.maybe() {
                    self.all(", file \"-wal\"");
                }
                self.put(")");
                if self.maybe() {
                    self.all("over batch");
                }
                if self.maybe() {
                    self.put("[");
                    self.list(1, 2, |g| g.all("n == 10k"));
                    self.put("]");
                }
            }
            _ => {
                let draw = self.pick(&["one", "3", "3 .. 6", "zipf", "zipf(1.1)"]);
                self.all(draw);
                self.put("of");
                let model = self.model();
                self.put(model);
            }
        }
    }

    fn sum(&mut self, depth: u32) {
        if self.below(6) == 0 {
            self.put("-");
        }
        self.operand(depth);
        for _ in 0..self.below(3) {
            let op = self.pick(&["+", "-", "*", "/", "mod"]);
            self.put(op);
            self.operand(depth);
        }
    }

    fn comparison(&mut self, depth: u32) {
        if self.below(6) == 0 {
            self.put("not");
        }
        self.sum(depth);
        match self.below(9) {
            0 | 1 => {
                let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                self.put(op);
                self.sum(depth);
            }
            2 => {
                let op = self.pick(&["contains", "starts_with", "ends_with", "like"]);
                self.put(op);
                self.operand(0);
                if self.maybe() {
                    self.all("ignoring case");
                }
            }
            3 => {
                self.all("in (");
                self.list(1, 3, |g| g.sum(0));
                self.put(")");
            }
            4 => {
                self.put("in");
                self.operand(0);
                self.put("..");
                self.operand(0);
            }
            5 => {
                let test = self.pick(&["is null", "is not null", "is empty", "is not empty"]);
                self.all(test);
            }
            _ => {}
        }
    }

    fn operation(&mut self, depth: u32) {
        self.comparison(depth);
        for _ in 0..self.below(3) {
            let op = self.pick(&["and", "or"]);
            self.put(op);
            self.comparison(depth);
        }
    }

    fn expr(&mut self, depth: u32) {
        match self.below(12) {
            0 => {
                self.all("null when");
                self.operation(depth);
                self.put("else");
            }
            1 => self.all("60% null else"),
            2 => self.all("Employee at"),
            _ => {}
        }
        self.operation(depth);
    }

    fn file(&mut self) {
        for _ in 0..1 + self.below(5) {
            self.item();
        }
    }

    fn item(&mut self) {
        match self.below(12) {
            0 => {
                self.all("use std.people");
                if self.maybe() {
                    self.all("as names");
                }
            }
            1 => self.experiment(),
            2 | 3 => self.model_item(),
            4 => {
                self.put("enum");
                self.name_and("kind");
                self.cases();
            }
            5 => {
                self.all("pool names =");
                self.list(1, 40, |g| {
                    let text = g.plain_text();
                    g.put(text);
                });
            }
            6 => {
                self.put("hook");
                self.all("f( row , x )");
                let body = self.pick(&[
                    "{ row }",
                    "{ \"}\" + `${ if x { 1 } }` // } no\n }",
                    "{\n    let x = #{ a: '}' };\n    x\n}",
                ]);
                self.put(body);
            }
            7 => {
                let head = self.pick(&[
                    "engine sqlite",
                    "engine sqlite as wal",
                    "preset fast = sqlite",
                ]);
                self.all(head);
                if self.maybe() {
                    self.put("{");
                    for _ in 0..self.below(3) {
                        let name = self.name();
                        self.put(format!("{name}:"));
                        self.operand(0);
                    }
                    self.put("}");
                }
            }
            8 => {
                self.all("param n =");
                self.expr(2);
            }
            9 => {
                self.all("sweep batch =");
                if self.below(3) == 0 {
                    self.all("100 .. 10M by * 10");
                } else {
                    self.list(1, 4, |g| g.operand(0));
                }
            }
            10 => self.trial(),
            _ => {
                self.put("claim");
                let title = self.text();
                self.put(title);
                self.put("{");
                for _ in 0..self.below(4) {
                    self.all("time( realm , t.s ) <");
                    self.operand(1);
                    if self.maybe() {
                        self.all("for n > 1k");
                    }
                }
                self.put("}");
            }
        }
    }

    fn name_and(&mut self, name: &str) {
        self.put(name);
    }

    fn cases(&mut self) {
        self.put("(");
        self.list(1, 4, |g| {
            let case = g.pick(&["a", "pending", "\"A*\"", "key"]);
            g.put(case);
            if g.maybe() {
                g.all(": 20%");
            }
        });
        self.put(")");
    }

    fn experiment(&mut self) {
        self.put("experiment");
        self.put("\"title {n}\"");
        self.put("{");
        for _ in 0..self.below(6) {
            let setting = self.pick(&[
                "source \"a\"",
                "about \"b\"",
                "seed 7",
                "runs 10",
                "warmup 1",
                "order interleaved",
                "cache cold",
                "budget 15min",
                "tiers mixed",
                "limits { memory 8GiB time 5min }",
                "quick { n = 2k batch = 10 , 1k }",
                "quick { }",
            ]);
            self.all(setting);
        }
        self.put("}");
    }

    fn model_item(&mut self) {
        self.put("model");
        let name = self.pick(&["User", "Grade", "TestData"]);
        self.put(name);
        self.put("{");
        for _ in 0..self.below(6) {
            match self.below(8) {
                0 => {
                    self.all("index ( a , b desc )");
                    if self.maybe() {
                        self.put("when");
                        self.operation(1);
                    }
                }
                1 => self.all("unique ( a , b.c )"),
                _ => self.field(),
            }
        }
        self.put("}");
    }

    fn field(&mut self) {
        let name = self.name();
        self.put(format!("{name}:"));
        match self.below(5) {
            0 => {
                self.put("enum");
                self.cases();
            }
            _ => {
                let ty = self.pick(&[
                    "int", "text[]", "text?", "uuid", "json", "User", "Grade[]", "kind",
                ]);
                self.put(ty);
            }
        }
        let attributes: &[&'static str] = &["key", "index", "unique", "cascade", "inverse student"];
        if self.below(3) == 0 {
            let attribute = self.pick(attributes);
            self.all(attribute);
        }
        if self.maybe() {
            self.put("=");
            self.expr(2);
        }
        if self.below(3) == 0 {
            let attribute = self.pick(attributes);
            self.all(attribute);
        }
        if self.below(8) == 0 {
            self.all("index when engine == realm");
        }
    }

    fn trial(&mut self) {
        self.put("trial");
        let title = self.text();
        self.put(title);
        if self.maybe() {
            self.all("as users");
        }
        if self.maybe() {
            self.all("for sqlite , realm");
        }
        self.put("{");
        if self.below(3) == 0 {
            self.all("skip when");
            self.operation(1);
        }
        if self.below(3) == 0 {
            self.all("runs 1 when");
            self.operation(1);
        }
        if self.maybe() {
            self.all("setup {");
            for _ in 0..self.below(3) {
                self.step(1);
            }
            self.put("}");
        }
        for _ in 0..self.below(6) {
            self.step(2);
        }
        self.put("}");
    }

    fn transaction(&mut self) {
        match self.below(6) {
            0 => self.all("in one transaction"),
            1 => {
                self.all("in transactions of");
                self.sum(0);
            }
            2 => self.put("autocommit"),
            _ => {}
        }
    }

    fn filter(&mut self) {
        match self.below(3) {
            0 => {
                self.put("where");
                self.operation(2);
            }
            1 => {
                self.all("by age at");
                let place = self.pick(&["first", "random", "zipf(1.1)", "position", "missing"]);
                self.put(place);
            }
            _ => {}
        }
    }

    fn repeat(&mut self) {
        if self.below(3) == 0 {
            self.put("repeat");
            self.sum(0);
        }
    }

    fn step(&mut self, depth: u32) {
        if self.maybe() {
            // Any word labels a step.
            let label = self.pick(&[
                "a", "write", "open", "read", "in", "where", "set", "model", "null",
            ]);
            self.put(format!("{label}:"));
        }
        let model = self.model();
        match self.below(if depth > 0 { 10 } else { 9 }) {
            0 => {
                let verb = self.pick(&["create", "upsert"]);
                self.put(verb);
                self.sum(1);
                self.put(model);
                self.transaction();
            }
            1 => {
                self.all("instantiate n");
                self.put(model);
            }
            2 | 3 => {
                self.put("read");
                self.put(model);
                self.filter();
                if self.maybe() {
                    self.all("order by age desc , id");
                }
                if self.maybe() {
                    self.put("limit");
                    self.sum(0);
                }
                if self.below(4) == 0 {
                    self.all("offset 3");
                }
                if self.maybe() {
                    let touching =
                        self.pick(&["touching keys", "touching nothing", "touching ( a , b.c )"]);
                    self.all(touching);
                }
                if self.below(3) == 0 {
                    let compute = self.pick(&["compute age_gap", "compute sum( age * 2 )"]);
                    self.all(compute);
                }
                self.repeat();
            }
            4 => {
                self.put("count");
                self.put(model);
                self.filter();
                if self.maybe() {
                    self.all("per quantity");
                }
                self.repeat();
            }
            5 => {
                self.put("update");
                self.put(model);
                self.filter();
                self.put("set");
                self.list(1, 3, |g| {
                    let name = g.operand_name();
                    g.put(name);
                    g.put("=");
                    g.sum(1);
                });
                self.transaction();
                if self.below(3) == 0 {
                    self.all("by statement");
                }
                self.repeat();
            }
            6 => {
                self.put("delete");
                self.put(model);
                self.filter();
                self.transaction();
                self.repeat();
            }
            7 => {
                let step = self.pick(&[
                    "storage",
                    "compact",
                    "checkpoint",
                    "close",
                    "open",
                    "open cold",
                    "reopen",
                    "reopen cold",
                ]);
                self.all(step);
            }
            8 => {
                self.put("expect");
                self.operation(1);
            }
            _ => {
                self.all("repeat orders with p at random User");
                self.transaction();
                self.put("{");
                for _ in 0..self.below(3) {
                    self.step(depth - 1);
                }
                self.put("}");
            }
        }
    }
}
